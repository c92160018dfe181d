// SPDX-License-Identifier: Apache-2.0
// Counts, sums and unions over all device work of a file.
#include "analysis/metrics.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/device_sweep.h"
#include "analysis/owner_table.h"

namespace rooflab::analysis {
namespace {

using model::WorkId;

std::int64_t median(std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const std::int64_t below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

// A union of intervals that come in order of start.
struct Union {
  std::int64_t until = 0;
  Nanos sum;
  bool any = false;
  void add(std::int64_t start, std::int64_t end) {
    const std::int64_t from = any ? std::max(start, until) : start;
    if (end > from) sum += Nanos(end - from);
    until = any ? std::max(until, end) : end;
    any = true;
  }
};

using CopyKey = std::pair<model::CopyDirection, model::MemoryKind>;
using CopyGroups = std::map<CopyKey, CopyGroup>;

void add_copy(const model::Profile& p, std::size_t row, CopyGroups& groups) {
  const CopyKey key{p.work.direction[row], copy_memory(p, row)};
  CopyGroup& group = groups[key];
  group.direction = key.first;
  group.memory = key.second;
  ++group.count;
  group.sum = Nanos(saturating_add(group.sum.value, p.work.duration[row]));
  if (p.work.bytes[row] < 0) return;
  group.bytes = Bytes(saturating_add(group.bytes.value, p.work.bytes[row]));
  ++group.sized;
}

class Counter {
 public:
  explicit Counter(const model::Profile& p, const KernelClasses& classes)
      : p_(p), classes_(classes) {}

  void add(WorkId id) {
    const std::size_t row = id.row;
    const auto& work = p_.work;
    const std::int64_t duration = work.duration[row];
    ++out_.work_count;
    busy_.add(work.start[row], work.end(row));
    first_ = out_.work_count == 1 ? work.start[row] : std::min(first_, work.start[row]);
    if (!work.launch[row].valid()) ++out_.unlinked;
    if (work_group(p_, classes_, row) == WorkGroup::kCopy) add_copy(p_, row, copies_);
    if (work.kind[row] == model::WorkKind::kMemset) ++out_.memset_count;
    if (work.kind[row] != model::WorkKind::kKernel) return;
    ++out_.kernel_count;
    out_.kernel_sum = Nanos(saturating_add(out_.kernel_sum.value, duration));
    kernels_.add(work.start[row], work.end(row));
    if (!work.launch[row].valid()) return;
    ++out_.launched;
    const std::size_t call = work.launch[row].row;
    run_ahead_.push_back(work.start[row] - p_.spans.end(call));
    calls_.push_back(p_.spans.duration[call]);
  }

  // `end` of the span: busy_ has seen the latest end.
  [[nodiscard]] DeviceMetrics finish() {
    out_.busy = busy_.sum;
    out_.kernel_union = kernels_.sum;
    if (busy_.any) out_.span = Nanos(busy_.until - first_);
    for (const auto& [key, group] : copies_) out_.copies.push_back(group);
    out_.run_ahead_median = Nanos(median(run_ahead_));
    out_.launch_call_median = Nanos(median(calls_));
    return std::move(out_);
  }

 private:
  const model::Profile& p_;
  const KernelClasses& classes_;
  DeviceMetrics out_;
  Union busy_, kernels_;
  std::int64_t first_ = 0;
  CopyGroups copies_;
  std::vector<std::int64_t> run_ahead_, calls_;
};

}  // namespace

double CopyGroup::bytes_per_second() const {
  if (sum.value <= 0 || sized == 0 || sized != count) return 0;
  return static_cast<double>(bytes.value) / (static_cast<double>(sum.value) * 1e-9);
}

Metrics device_metrics(const model::Profile& profile, const KernelClasses& classes) {
  Metrics out;
  const std::vector<std::vector<WorkId>> by_device = work_by_device(profile, std::nullopt);
  std::vector<WorkId> all;
  double busy_ratios = 0;
  for (std::size_t d = 0; d < by_device.size(); ++d) {
    if (by_device[d].empty()) continue;
    Counter counter(profile, classes);
    for (const WorkId row : by_device[d]) counter.add(row);
    DeviceMetrics metrics = counter.finish();
    metrics.device = model::DeviceId(d);
    busy_ratios += ratio_of(metrics.busy, metrics.span).value;
    out.devices.push_back(std::move(metrics));
    all.insert(all.end(), by_device[d].begin(), by_device[d].end());
  }
  if (out.devices.empty()) return out;
  out.gpu_busy_ratio = busy_ratios / static_cast<double>(out.devices.size());
  if (out.devices.size() == 1) {
    out.total = out.devices.front();
    out.total.device = {};
    return out;
  }
  std::sort(all.begin(), all.end(), [&](WorkId a, WorkId b) {
    return profile.work.start[a.row] != profile.work.start[b.row]
               ? profile.work.start[a.row] < profile.work.start[b.row]
               : a < b;
  });
  Counter counter(profile, classes);
  for (const WorkId row : all) counter.add(row);
  out.total = counter.finish();
  return out;
}

std::vector<CopyGroup> copies_between(const model::Profile& profile, const KernelClasses& classes,
                                      model::DeviceId device, Nanos start, Nanos end,
                                      std::optional<std::int64_t> stream) {
  const std::vector<std::vector<WorkId>> by_device = work_by_device(profile, stream);
  CopyGroups groups;
  if (device.row < by_device.size()) {
    for (const WorkId id : by_device[device.row]) {
      const std::int64_t begin = profile.work.start[id.row];
      if (begin < start.value || begin >= end.value) continue;
      if (work_group(profile, classes, id.row) == WorkGroup::kCopy) {
        add_copy(profile, id.row, groups);
      }
    }
  }
  std::vector<CopyGroup> out;
  for (const auto& [key, group] : groups) out.push_back(group);
  return out;
}

void add_copies(const std::vector<CopyGroup>& more, std::vector<CopyGroup>& copies) {
  CopyGroups groups;
  for (const std::vector<CopyGroup>* list :
       {static_cast<const std::vector<CopyGroup>*>(&copies), &more}) {
    for (const CopyGroup& g : *list) {
      CopyGroup& sum = groups[CopyKey(g.direction, g.memory)];
      sum.direction = g.direction;
      sum.memory = g.memory;
      sum.count += g.count;
      sum.sized += g.sized;
      sum.sum = Nanos(saturating_add(sum.sum.value, g.sum.value));
      sum.bytes = Bytes(saturating_add(sum.bytes.value, g.bytes.value));
    }
  }
  copies.clear();
  for (const auto& [key, group] : groups) copies.push_back(group);
}

}  // namespace rooflab::analysis
