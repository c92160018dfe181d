// SPDX-License-Identifier: Apache-2.0
#include "analysis/idle_causes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/owner_totals.h"

namespace rooflab::analysis {
namespace {

std::vector<bool> idle_owners(const DeviceAccounting& device) {
  std::vector<bool> idle;
  for (const OwnerShare& share : device.owners) idle.push_back(in_branch(share.owner, "idle"));
  return idle;
}

bool is_idle(const std::vector<bool>& idle, const Stretch& stretch) {
  return stretch.owner < idle.size() && idle[stretch.owner];
}

}  // namespace

std::vector<IdleCause> idle_causes(const model::Profile& profile, const Accounting& accounting) {
  using Key = std::tuple<std::string, StringId, model::TrackId>;
  struct Sum {
    IdleCause cause;
    model::WorkId last_work;
    Nanos in_gap;
  };
  std::map<Key, std::size_t> index;
  std::vector<Sum> sums;
  for (const DeviceAccounting& device : accounting.devices) {
    const std::vector<bool> idle = idle_owners(device);
    for (const Stretch& stretch : device.stretches) {
      if (!is_idle(idle, stretch)) continue;
      const bool known = stretch.cause.valid() && stretch.cause.row < profile.spans.size();
      const StringId name = known ? profile.spans.name[stretch.cause.row] : StringId(0U);
      const model::TrackId track =
          known ? profile.spans.track[stretch.cause.row] : model::TrackId();
      const std::string& owner = device.owners[stretch.owner].owner;
      const auto [it, added] = index.try_emplace(Key(owner, name, track), sums.size());
      if (added) {
        sums.emplace_back();
        sums.back().cause.owner = owner;
        sums.back().cause.activity = name;
        sums.back().cause.track = track;
      }
      Sum& sum = sums[it->second];
      const bool new_gap = sum.cause.gaps == 0 || sum.last_work != stretch.work;
      if (new_gap) {
        ++sum.cause.gaps;
        sum.in_gap = Nanos();
        sum.last_work = stretch.work;
      }
      const Nanos time = stretch.end - stretch.start;
      sum.in_gap += time;
      sum.cause.time += time;
      sum.cause.hops = std::max<int>(sum.cause.hops, stretch.hops);
      if (sum.in_gap > sum.cause.longest) {
        sum.cause.longest = sum.in_gap;
        sum.cause.longest_start = stretch.end - sum.in_gap;
        sum.cause.longest_work = stretch.work;
      }
    }
  }
  std::vector<IdleCause> out;
  for (Sum& sum : sums) out.push_back(std::move(sum.cause));
  std::stable_sort(out.begin(), out.end(), [](const IdleCause& a, const IdleCause& b) {
    return a.time != b.time ? a.time > b.time : a.owner < b.owner;
  });
  return out;
}

std::vector<Gap> gaps(const Accounting& accounting) {
  std::vector<Gap> out;
  for (const DeviceAccounting& device : accounting.devices) {
    const std::vector<bool> idle = idle_owners(device);
    bool open = false;
    Nanos largest;
    for (const Stretch& stretch : device.stretches) {
      if (!is_idle(idle, stretch)) {
        open = false;
        continue;
      }
      if (!open || out.back().work != stretch.work) {
        out.push_back({.device = device.device,
                       .start = stretch.start,
                       .end = stretch.end,
                       .work = stretch.work,
                       .owner = 0,
                       .cause = {},
                       .owner_name = {}});
        open = true;
        largest = Nanos(-1);
      }
      Gap& gap = out.back();
      gap.end = stretch.end;
      if (stretch.end - stretch.start > largest) {
        largest = stretch.end - stretch.start;
        gap.owner = stretch.owner;
        gap.cause = stretch.cause;
        gap.owner_name = device.owners[stretch.owner].owner;
      }
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Gap& a, const Gap& b) {
    const Nanos a_length = a.end - a.start;
    const Nanos b_length = b.end - b.start;
    return a_length != b_length ? a_length > b_length : a.start < b.start;
  });
  return out;
}

}  // namespace rooflab::analysis
