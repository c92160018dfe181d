// SPDX-License-Identifier: Apache-2.0
// Puts the accounting of each device together: sweep, gaps, totals. The parts are in device_sweep,
// gap_split, starvation and owner_table.
#include "analysis/accounting.h"

#include <algorithm>
#include <limits>

#include "analysis/device_sweep.h"
#include "analysis/gap_split.h"
#include "analysis/host_owner.h"
#include "analysis/overhead.h"
#include "analysis/owner_table.h"
#include "analysis/starvation.h"

namespace rooflab::analysis {
namespace {

using model::DeviceId;
using model::WorkId;

// Stretches for each work, where room is made ahead: on launch-bound recordings there are four to
// five.
constexpr std::size_t kStretchesAWork = 8;

struct Interval {
  std::int64_t start = 0, end = 0;
};

std::int64_t clipped_sum(const std::vector<Segment>& intervals, const Interval& window) {
  std::int64_t sum = 0;
  for (const Segment& s : intervals) {
    sum += std::max<std::int64_t>(0, std::min(s.end, window.end) - std::max(s.start, window.start));
  }
  return sum;
}

// Everything the profile holds in time, for the whole-trace view.
Interval extent(const model::Profile& p) {
  Interval out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  const auto widen = [&out](const auto& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      out.start = std::min(out.start, table.start[i]);
      out.end = std::max(out.end, table.end(i));
    }
  };
  widen(p.spans);
  widen(p.work);
  if (out.start > out.end) return {};
  return out;
}

// What all devices' accountings share.
struct Context {
  const model::Profile& profile;
  const KernelClasses& classes;
  const Overheads& overheads;
  Starvation& starvation;
  std::vector<bool>& launched;  // scratch of the sweep
  const std::vector<LastStart>& last_starts;
};

class DeviceAccountant {
 public:
  DeviceAccountant(const Context& context, const Window& window, const Interval& view)
      : c_(context),
        window_{window.start.value, window.end.value},
        view_(view),
        owners_(context.profile, context.classes),
        gaps_(context.profile, context.overheads, context.starvation, owners_) {}

  void run(const std::vector<WorkId>& rows, DeviceAccounting& out) {
    c_.starvation.restart();
    // Address space, not memory: growing by copies would cost more than the accounting itself.
    out.stretches.reserve(rows.size() * kStretchesAWork);
    std::int64_t last = view_.start;
    if (!rows.empty() && c_.profile.work.start[rows.front().row] > view_.start) {
      last = c_.profile.work.start[rows.front().row];
      gap(Segment{view_.start, last, rows.front(), true, false}, out);
    }
    const ActiveTimes active =
        sweep_device(c_.profile, c_.classes, rows, c_.launched, [&](const Segment& s) {
          last = std::max(last, s.end);
          if (s.gap) {
            gap(s, out);
          } else {
            work(s, out);
          }
        });
    // Nothing that follows ends this gap.
    idle(last, view_.end, IdleOwner::kAfter, out);
    finish(active, out);
  }

 private:
  void work(const Segment& s, DeviceAccounting& out) {
    const std::int64_t start = std::max(s.start, view_.start);
    const std::int64_t end = std::min(s.end, view_.end);
    if (start >= end) return;
    out.busy += Nanos(end - start);
    const WorkGroup group = work_group(c_.profile, c_.classes, s.work.row);
    const LastStart* last = group == WorkGroup::kComm ? last_start_of(s.work) : nullptr;
    if (last == nullptr) {
      own(start, end, owners_.of_work(s.work.row), s.work, out);
    } else {
      const std::int64_t cut = std::clamp(last->time, start, end);
      own(start, cut, owners_.of_comm_wait(), s.work, out);
      own(cut, end, owners_.of_comm_transfer(), s.work, out);
    }
    if (group == WorkGroup::kComm) comm_owned_ += end - start;
    if (group == WorkGroup::kCopy) copy_owned_ += end - start;
  }

  void own(std::int64_t start, std::int64_t end, std::uint32_t owner, WorkId work,
           DeviceAccounting& out) {
    if (start >= end) return;
    owners_.add(owner, end - start);
    append_stretch({Nanos(start), Nanos(end), owner, work, {}, 0}, out.stretches);
  }

  // Null: which ranks had to come is not known.
  [[nodiscard]] const LastStart* last_start_of(WorkId work) const {
    const auto it = std::lower_bound(c_.last_starts.begin(), c_.last_starts.end(), work,
                                     [](const LastStart& l, WorkId w) { return l.work < w; });
    return it != c_.last_starts.end() && it->work == work ? &*it : nullptr;
  }

  // A gap of the device; in the whole-trace view its parts outside the window have no cause.
  void gap(const Segment& s, DeviceAccounting& out) {
    const std::int64_t start = std::max(s.start, view_.start);
    const std::int64_t end = std::min(s.end, view_.end);
    idle(start, std::min(end, window_.start), IdleOwner::kBefore, out);
    gaps_.split(s, std::max(start, window_.start), std::min(end, window_.end), out.stretches);
    idle(std::max(start, window_.end), end, IdleOwner::kAfter, out);
  }

  void idle(std::int64_t start, std::int64_t end, IdleOwner owner, DeviceAccounting& out) {
    if (start >= end) return;
    const std::uint32_t id = owners_.of_idle(owner);
    owners_.add(id, end - start);
    append_stretch({Nanos(start), Nanos(end), id, {}, {}, 0}, out.stretches);
  }

  void finish(const ActiveTimes& active, DeviceAccounting& out) {
    out.hidden_comm = Nanos(clipped_sum(active.comm, view_) - comm_owned_);
    out.hidden_copy = Nanos(clipped_sum(active.copy, view_) - copy_owned_);
    std::vector<std::uint32_t> new_index;
    out.owners = owners_.sorted(new_index);
    for (Stretch& stretch : out.stretches) stretch.owner = new_index[stretch.owner];
  }

  const Context& c_;
  Interval window_, view_;
  std::int64_t comm_owned_ = 0, copy_owned_ = 0;
  OwnerTable owners_;
  GapSplit gaps_;
};

// Without steps each device is judged over its own span of work: devices need not start together.
Window window_of_device(const Window& window, const model::Profile& p,
                        const std::vector<WorkId>& rows) {
  if (window.basis != WindowBasis::kDeviceSpan || rows.empty()) return window;
  Window own = window;
  own.start = Nanos(p.work.start[rows.front().row]);
  own.end = own.start;
  for (const WorkId row : rows) own.end = std::max(own.end, Nanos(p.work.end(row.row)));
  return own;
}

}  // namespace

std::vector<LastStart> last_starts_of(const model::Job& job, std::size_t place) {
  std::vector<LastStart> out;
  for (const model::JobCollective& c : job.collectives) {
    const model::Arrival& own = c.arrivals[place];
    if (!own.work.valid()) continue;
    const std::int64_t last = c.arrivals[c.last].start;
    out.push_back({own.work, saturating_add(last, job.ranks[place].time_offset_ns)});
  }
  std::sort(out.begin(), out.end(),
            [](const LastStart& a, const LastStart& b) { return a.work < b.work; });
  return out;
}

Accounting account(const model::Profile& profile, const HostTree& tree,
                   const KernelClasses& classes, const Units& units, const Window& window,
                   const Selection& selection, bool whole_trace,
                   const std::vector<LastStart>& last_starts) {
  MarkedNames names(profile);
  const HostOwners hosts = host_owners(profile, tree, names, units, selection);
  const Overheads overheads = place_overheads(profile, tree, names);
  Starvation starvation(profile, tree, hosts);
  std::vector<bool> launched(profile.spans.size(), false);
  const Context context{profile, classes, overheads, starvation, launched, last_starts};
  const std::vector<std::vector<WorkId>> by_device = work_by_device(profile, selection.stream);
  const Interval whole = whole_trace ? extent(profile) : Interval{};
  Accounting out;
  for (std::size_t d = 0; d < by_device.size(); ++d) {
    if (selection.device && profile.devices[d].index != *selection.device) continue;
    const std::vector<WorkId>& rows = by_device[d];
    if (rows.empty()) continue;
    DeviceAccounting device;
    device.device = DeviceId(d);
    device.device_index = profile.devices[d].index;
    device.rank = profile.rank.rank;
    const Window inner = window_of_device(window, profile, rows);
    device.window = inner;
    Interval view{inner.start.value, inner.end.value};
    if (whole_trace) {
      view = whole;
      device.window.start = Nanos(view.start);
      device.window.end = Nanos(view.end);
    }
    DeviceAccountant(context, inner, view).run(rows, device);
    out.devices.push_back(std::move(device));
  }
  return out;
}

}  // namespace rooflab::analysis
