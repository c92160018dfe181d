// SPDX-License-Identifier: Apache-2.0
// Measured kernels whose busiest part is the memory system, and which level of it. A position, no
// fault: what to do depends on the level.
#include <fmt/format.h>

#include <array>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

std::string level_words(const analysis::MeasuredKernel& k) {
  if (k.level == "dram") return "device memory";
  if (k.level == "l2") return "the L2 cache";
  if (k.level == "l1") return k.of_shared ? "shared memory (L1)" : "the L1 cache";
  return "the memory system";
}

void add_rates(const analysis::MeasuredKernel& k, Finding& f) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kParts{
      {{"dram_percent", "device memory"},
       {"l2_percent", "L2"},
       {"l1_percent", "L1 and shared memory"},
       {"shared_wavefront_percent", "of that, shared memory"}}};
  std::string text;
  for (const auto& [metric, words] : kParts) {
    const auto value = k.value(metric);
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, percent(*value));
  }
  f.evidence.push_back({"busy: " + text, "memory_percent", k.level_percent});
  const auto rate = k.value("dram_bytes_per_second");
  const auto l1 = k.value("l1_hit_percent");
  const auto l2 = k.value("l2_hit_percent");
  text.clear();
  if (rate) text += fmt::format("device memory moves {}", human_rate(*rate));
  if (l1) text += fmt::format("{}L1 hits {}", text.empty() ? "" : ", ", percent(*l1));
  if (l2) text += fmt::format("{}L2 hits {}", text.empty() ? "" : ", ", percent(*l2));
  if (!text.empty()) f.evidence.push_back({text, "dram_bytes_per_second", rate.value_or(0)});
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kUnknown) return {};
  if (k.limit != analysis::Roof::kMemory) return {true, {}};
  Finding f = kernel_finding(a, k, "memory_bound_kernel", FaultOrder::kPosition, 0, k.level);
  f.title = fmt::format("{} is bound by {}, {} busy", short_name(a, k), level_words(k),
                        percent(k.level_percent));
  add_rates(k, f);
  f.chain = {level_words(k) + " is the busiest part of the device while the kernel runs",
             "more threads or faster arithmetic cannot make it faster",
             "fewer bytes at this level, or reuse at one nearer to the threads, can"};
  f.falsifier = "let it move half the bytes: if its time does not fall, this is not its limit";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "how busy memory and multiprocessors are (the speed-of-light section)",
                     &judge);
}

}  // namespace

Rule rule_memory_bound_kernel() {
  return make_rule(
      {.id = "memory_bound_kernel",
       .layer = Layer::kKernel,
       .title = "Measured kernels that memory limits",
       .why = "The busiest level of the memory system sets the kernel's pace. Traffic of device "
              "memory passes L2, so device memory is named where it is about as busy. A position, "
              "not a fault.",
       .thresholds = {{"least_percent", analysis::kBoundPercent,
                       "busy share from which a part limits: below it on all sides the vendor's "
                       "speed-of-light rule says latency"},
                      {"level_slack_percent", 5,
                       "an outer level this close to the busiest is named instead of it"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
