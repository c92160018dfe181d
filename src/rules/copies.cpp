// SPDX-License-Identifier: Apache-2.0
#include "rules/copies.h"

#include <array>
#include <map>
#include <utility>

#include "analysis/markers.h"
#include "analysis/owner_totals.h"

namespace rooflab::rules {
namespace {

using model::CopyDirection;
using model::SpanId;
using model::SpanKind;

constexpr std::array<const char*, 3> kLinkBranches{"copy.exposed.h2d", "copy.exposed.d2h",
                                                   "copy.exposed.p2p"};
// Idle that goes away with the copy that ends it.
constexpr std::array<const char*, 5> kCopyIdle{"idle.in_call", "idle.dispatch",
                                               "idle.starved.framework", "idle.starved.sync",
                                               "idle.starved.copy_call"};

template <std::size_t kCount>
bool in_any(std::string_view owner, const std::array<const char*, kCount>& branches) {
  return std::any_of(branches.begin(), branches.end(),
                     [&](const char* branch) { return analysis::in_branch(owner, branch); });
}

bool over_host_link(CopyDirection d) {
  return d == CopyDirection::kHostToDevice || d == CopyDirection::kDeviceToHost;
}

bool over_link(CopyDirection d) { return over_host_link(d) || d == CopyDirection::kPeerToPeer; }

bool is_call(SpanKind kind) {
  return kind == SpanKind::kRuntimeCall || kind == SpanKind::kDriverCall;
}

const analysis::DeviceAccounting* device_of(const analysis::Analysis& a, std::size_t work) {
  const model::DeviceId device = a.profile->device_of(work);
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    const std::int64_t start = a.profile->work.start[work];
    if (d.device == device && start >= d.window.start.value && start < d.window.end.value) {
      return &d;
    }
  }
  return nullptr;
}

// The stream with most kernel time in the window, over all devices.
model::TrackId compute_stream(const analysis::Analysis& a) {
  const model::WorkTable& work = a.profile->work;
  std::vector<std::int64_t> time(a.profile->tracks.size(), 0);
  model::TrackId most;
  for (std::size_t row = 0; row < work.size(); ++row) {
    if (work.kind[row] != model::WorkKind::kKernel || device_of(a, row) == nullptr) continue;
    std::int64_t& sum = time[work.track[row].row];
    sum = saturating_add(sum, work.duration[row]);
    if (!most.valid() || sum > time[most.row]) most = work.track[row];
  }
  return most;
}

// The outermost operator around a call; invalid if there is none.
SpanId operator_around(const analysis::Analysis& a, SpanId call) {
  SpanId found;
  for (SpanId at = call; at.valid() && at.row < a.tree.parent.size(); at = a.tree.parent[at.row]) {
    if (a.profile->spans.kind[at.row] == SpanKind::kOp) found = at;
  }
  return found;
}

// The next call on the thread waits for the device.
bool awaited(const model::Profile& p, analysis::MarkedNames& names, SpanId launch) {
  if (!launch.valid()) return false;
  for (std::size_t row = launch.row + std::size_t{1}; row < p.spans.size(); ++row) {
    if (p.spans.track[row] != p.spans.track[launch.row]) return false;
    if (!is_call(p.spans.kind[row])) continue;
    return (names.of(p.spans.name[row], analysis::NameUse::kCall) &
            analysis::bit(analysis::Marker::kSync)) != 0;
  }
  return false;
}

void add_window_time(const analysis::Analysis& a, const std::vector<bool>& small,
                     SmallCopies& out) {
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    for (const analysis::Stretch& stretch : d.stretches) {
      if (!stretch.work.valid() || stretch.work.row >= small.size() || !small[stretch.work.row]) {
        continue;
      }
      const std::string& owner = d.owners[stretch.owner].owner;
      if (analysis::in_branch(owner, "copy.exposed")) out.exposed += stretch.end - stretch.start;
      if (in_any(owner, kCopyIdle)) out.idle += stretch.end - stretch.start;
    }
  }
}

}  // namespace

ExposedCopies exposed_copies(const analysis::Analysis& a) {
  ExposedCopies out;
  for (const analysis::OwnerShare& share : analysis::owner_totals(a.accounting)) {
    if (!in_any(share.owner, kLinkBranches) || share.owner.ends_with(".pageable")) continue;
    if (share.time.value <= 0) continue;
    out.exposed += share.time;
    out.owners.push_back(share.owner);
  }
  for (const analysis::DeviceAccounting& d : a.accounting.devices) out.hidden += d.hidden_copy;
  const Nanos compute = analysis::branch_time(a.accounting, "compute");
  out.free_compute = Nanos(std::max<std::int64_t>(0, compute.value - out.hidden.value));
  const model::TrackId stream = compute_stream(a);
  const model::WorkTable& work = a.profile->work;
  for (std::size_t row = 0; row < work.size(); ++row) {
    const bool counts = work.kind[row] == model::WorkKind::kCopy && over_link(work.direction[row]);
    if (!counts || device_of(a, row) == nullptr) continue;
    ++out.count;
    if (work.track[row] == stream) ++out.on_compute_stream;
  }
  return out;
}

bool computation_can_hide(const ExposedCopies& copies) {
  return copies.can_hide().value >= copies.exposed.value / 2;
}

double link_rate(const analysis::Analysis& a) {
  double bytes = 0;
  Nanos time;
  for (const analysis::CopyGroup& group : a.copies) {
    if (!over_link(group.direction) || group.memory == model::MemoryKind::kPageable) continue;
    if (group.bytes_per_second() <= 0) continue;
    bytes += static_cast<double>(group.bytes.value);
    time += group.sum;
  }
  return time.value > 0 ? bytes / (static_cast<double>(time.value) * 1e-9) : 0;
}

SmallCopies small_copies(const analysis::Analysis& a) {
  SmallCopies out;
  const model::Profile& p = *a.profile;
  const model::WorkTable& work = p.work;
  analysis::MarkedNames names(p);
  std::vector<bool> small(work.size(), false);
  std::map<StringId, std::int64_t> activities;
  for (std::size_t row = 0; row < work.size(); ++row) {
    const bool fits = over_host_link(work.direction[row]) && work.bytes[row] >= 0 &&
                      work.bytes[row] <= kSmallCopyBytes;
    if (!fits || device_of(a, row) == nullptr) continue;
    const SpanId launch = work.launch[row];
    const bool reads_back = work.direction[row] == CopyDirection::kDeviceToHost;
    const bool waits = awaited(p, names, launch);
    if (reads_back && waits) continue;
    small[row] = true;
    ++out.count;
    if (waits) ++out.awaited;
    out.bytes = Bytes(saturating_add(out.bytes.value, work.bytes[row]));
    out.device = Nanos(saturating_add(out.device.value, work.duration[row]));
    if (!launch.valid()) continue;
    out.calls = Nanos(saturating_add(out.calls.value, p.spans.duration[launch.row]));
    const SpanId around = operator_around(a, launch);
    if (around.valid()) ++activities[p.spans.name[around.row]];
  }
  std::int64_t most = 0;
  for (const auto& [name, count] : activities) {
    if (count > most) {
      most = count;
      out.activity = name;
    }
  }
  add_window_time(a, small, out);
  return out;
}

bool copies_make_the_waits(const analysis::Analysis& a) {
  constexpr double kMostOfThem = 0.8;
  return a.blocking.count > 0 && static_cast<double>(small_copies(a).awaited) >=
                                     kMostOfThem * static_cast<double>(a.blocking.count);
}

}  // namespace rooflab::rules
