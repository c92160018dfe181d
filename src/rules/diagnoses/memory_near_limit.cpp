// SPDX-License-Identifier: Apache-2.0
// The allocator holds nearly all of the device's memory: a slightly larger batch fails, and a
// caching allocator that is full frees and reserves again, which waits for the device. Needs the
// allocator's totals and the device's size.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/op_table.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastReserved = 0.90;

std::int64_t memory_of(const model::Profile& p, std::int64_t index) {
  for (const model::Device& device : p.devices) {
    if (device.index == index) return device.memory_bytes;
  }
  return -1;
}

Outcome check(const analysis::Analysis& a, const WithMemoryEvents& /*has*/) {
  const model::Profile& p = *a.profile;
  bool known = false;
  std::vector<Finding> out;
  for (const analysis::MemoryRow& row : analysis::memory_table(p).rows) {
    if (row.device_type != model::MemoryDevice::kDevice) continue;
    const std::int64_t size = memory_of(p, row.device_index);
    // What is allocated is reserved, where only that is recorded.
    const Bytes held = std::max(row.peak_reserved, row.peak_allocated);
    if (size <= 0 || held.value < 0) continue;
    known = true;
    const Ratio share = ratio_of(held, Bytes(size));
    if (share.value < kLeastReserved) continue;
    Finding f;
    f.rule = "memory_near_limit";
    f.id = fmt::format("{}:{}", f.rule, row.device_index);
    f.layer = Layer::kSystem;
    f.title = fmt::format("device {} is nearly out of memory", row.device_index);
    f.where = fmt::format("device {}", row.device_index);
    f.evidence.push_back({fmt::format("the allocator holds up to {} of {} ({})", human_bytes(held),
                                      human_bytes(Bytes(size)), human_percent(share)),
                          "held_bytes", static_cast<double>(held.value)});
    if (row.peak_allocated.value >= 0) {
      f.evidence.push_back({fmt::format("in use at the peak: {}", human_bytes(row.peak_allocated)),
                            "allocated_bytes", static_cast<double>(row.peak_allocated.value)});
    }
    f.chain = {"nearly all memory is reserved",
               "a request that finds no block makes the allocator give memory back first",
               "that waits for the device, and a larger one fails"};
    f.falsifier = "count memory calls inside the steps: without any, the cache suffices as it is";
    f.fixes = shipped_fixes(f.rule, {});
    out.push_back(std::move(f));
  }
  if (!known) return NotEvaluated{"the size of the device's memory"};
  if (out.empty()) return Clear{};
  return out;
}

}  // namespace

Rule rule_memory_near_limit() {
  return make_rule(
      {.id = "memory_near_limit",
       .layer = Layer::kSystem,
       .title = "The device is nearly out of memory",
       .why = "Near the limit an allocator must give memory back before it can serve a request, "
              "which waits for the device; fragmentation then decides whether a step fits.",
       .thresholds = {{"least_reserved_ratio", kLeastReserved,
                       "reserved over installed; an established profiler warns from 90 %"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
