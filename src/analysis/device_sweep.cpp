// SPDX-License-Identifier: Apache-2.0
// A sweep over starts in order with a heap of active work; ended work leaves the heap when it comes
// to its top.
#include "analysis/device_sweep.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace rooflab::analysis {
namespace {

using model::WorkId;

struct Active {
  std::int64_t end = 0;
  std::int64_t counted_from = 0;  // start of the run of touching works of one name
  std::int64_t stream = 0;
  WorkId row;   // who owns
  WorkId head;  // first row of that run: breaks ties
  WorkGroup group = WorkGroup::kCompute;
  [[nodiscard]] auto key() const { return std::tie(group, counted_from, stream, head); }
};
struct Later {
  bool operator()(const Active& a, const Active& b) const { return b.key() < a.key(); }
};

// Finds for each work the run of touching works of its name on its track.
class Runs {
 public:
  void enter(const model::Profile& p, WorkId row, Active& active) {
    const std::int64_t start = p.work.start[row.row];
    Run& run = last_[(std::uint64_t{p.work.track[row.row].row} << 32U) | p.work.name[row.row].row];
    if (run.head.valid() && run.end == start) {
      active.counted_from = run.from;
      active.head = run.head;
    } else {
      active.counted_from = start;
      active.head = row;
    }
    run = {active.counted_from, active.end, active.head};
  }

 private:
  struct Run {
    std::int64_t from = 0, end = 0;
    WorkId head;
  };
  std::unordered_map<std::uint64_t, Run> last_;  // one entry a distinct name and stream
};

// Appends [start, end) to a list of disjoint intervals in order of start.
void add_to_union(std::vector<Segment>& intervals, std::int64_t start, std::int64_t end) {
  if (start >= end) return;
  if (!intervals.empty() && intervals.back().end >= start) {
    intervals.back().end = std::max(intervals.back().end, end);
  } else {
    intervals.push_back({start, end, {}, false, false});
  }
}

class Sweep {
 public:
  Sweep(const model::Profile& p, const KernelClasses& classes, std::vector<bool>& launched,
        const std::function<void(const Segment&)>& take)
      : p_(p), classes_(classes), launched_(launched), take_(take) {}

  ActiveTimes run(const std::vector<WorkId>& rows) {
    if (rows.empty()) return {};
    now_ = p_.work.start[rows.front().row];
    for (const WorkId row : rows) {
      const std::int64_t start = p_.work.start[row.row];
      own_until(start);
      if (now_ < start) emit_gap(start, row);
      now_ = start;
      enter(row);
    }
    own_until(std::numeric_limits<std::int64_t>::max());
    flush();
    for (const WorkId row : rows) {
      if (p_.work.launch[row.row].valid()) launched_[p_.work.launch[row.row].row] = false;
    }
    return std::move(out_);
  }

 private:
  void enter(WorkId row) {
    const model::SpanId launch = p_.work.launch[row.row];
    if (launch.valid()) launched_[launch.row] = true;
    Active active;
    active.end = p_.work.end(row.row);
    active.row = row;
    active.stream = p_.tracks[p_.work.track[row.row].row].stream;
    active.group = work_group(p_, classes_, row.row);
    if (active.end <= now_) return;
    runs_.enter(p_, row, active);
    if (active.group == WorkGroup::kComm) add_to_union(out_.comm, now_, active.end);
    if (active.group == WorkGroup::kCopy) add_to_union(out_.copy, now_, active.end);
    active_.push(active);
  }

  // Gives the time up to `limit`, or to the end of all active work, to its owners.
  void own_until(std::int64_t limit) {
    while (!active_.empty() && now_ < limit) {
      const Active& top = active_.top();
      if (top.end <= now_) {
        active_.pop();
        continue;
      }
      const std::int64_t end = std::min(top.end, limit);
      emit_owned(end, top.row);
      now_ = end;
    }
    while (!active_.empty() && active_.top().end <= now_) active_.pop();
  }

  void emit_owned(std::int64_t end, WorkId row) {
    if (pending_.work != row) {
      flush();
      pending_ = {now_, end, row, false, false};
    }
    pending_.end = end;
  }

  void emit_gap(std::int64_t end, WorkId ending) {
    flush();
    const model::SpanId launch = p_.work.launch[ending.row];
    take_({now_, end, ending, true, launch.valid() && launched_[launch.row]});
  }

  void flush() {
    if (pending_.work.valid()) take_(pending_);
    pending_ = {};
  }

  const model::Profile& p_;
  const KernelClasses& classes_;
  std::vector<bool>& launched_;  // by span row: some work of that launch has started
  std::priority_queue<Active, std::vector<Active>, Later> active_;
  Runs runs_;
  std::int64_t now_ = 0;
  const std::function<void(const Segment&)>& take_;
  Segment pending_;  // owned time that may still grow
  ActiveTimes out_;
};

}  // namespace

WorkGroup work_group(const model::Profile& profile, const KernelClasses& classes, std::size_t row) {
  switch (profile.work.kind[row]) {
    case model::WorkKind::kCopy:
      return WorkGroup::kCopy;
    case model::WorkKind::kMemset:
      return WorkGroup::kMemset;
    case model::WorkKind::kKernel:
      break;
  }
  switch (classes.of(profile.work.name[row])) {
    case KernelClass::kComm:
      return WorkGroup::kComm;
    case KernelClass::kCopy:
      return WorkGroup::kCopy;
    case KernelClass::kMemset:
      return WorkGroup::kMemset;
    default:
      return WorkGroup::kCompute;
  }
}

std::vector<std::vector<WorkId>> work_by_device(const model::Profile& profile,
                                                std::optional<std::int64_t> stream) {
  const auto& work = profile.work;
  std::vector<std::vector<WorkId>> by_device(profile.devices.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const model::Track& track = profile.tracks[work.track[i].row];
    if (track.device.row >= by_device.size() || (stream && track.stream != *stream)) continue;
    by_device[track.device.row].emplace_back(i);
  }
  struct Key {
    std::int64_t start, stream;
    WorkId row;
    bool operator<(const Key& o) const {
      return std::tie(start, stream, row) < std::tie(o.start, o.stream, o.row);
    }
  };
  std::vector<Key> keys;
  for (std::vector<WorkId>& rows : by_device) {
    keys.clear();
    for (const WorkId row : rows) {
      keys.push_back({work.start[row.row], profile.tracks[work.track[row.row].row].stream, row});
    }
    // Rows of one stream are in order already: only a device with several streams needs the sort.
    if (std::is_sorted(keys.begin(), keys.end())) continue;
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].row;
  }
  return by_device;
}

ActiveTimes sweep_device(const model::Profile& profile, const KernelClasses& classes,
                         const std::vector<WorkId>& rows, std::vector<bool>& launched,
                         const std::function<void(const Segment&)>& take) {
  return Sweep(profile, classes, launched, take).run(rows);
}

}  // namespace rooflab::analysis
