// SPDX-License-Identifier: Apache-2.0
// Measured kernels in which no part of the device is busy: their warps wait, and there are too few
// of them, or each has too little in flight. A position, no fault by itself.
#include <fmt/format.h>

#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kUnknown) return {};
  if (k.limit != analysis::Roof::kLatency) return {true, {}};
  Finding f = kernel_finding(a, k, "latency_bound_kernel", FaultOrder::kPosition, 0);
  f.title = fmt::format("{} is bound by latency: its busiest part is {} busy", short_name(a, k),
                        percent(k.level_percent));
  f.evidence.push_back(
      {fmt::format("no part of the device is busier than {}", percent(k.level_percent)),
       "busiest_percent", k.level_percent});
  const analysis::Stall stall = analysis::largest_stall(k);
  if (!stall.metric.empty()) {
    f.evidence.push_back(
        {fmt::format("a warp spends {} of the time between two instructions so: {}",
                     percent(100 * stall.share), stall_words(stall.metric)),
         "largest_stall_ratio", stall.share});
  }
  if (const auto occupancy = k.value("achieved_occupancy_percent")) {
    f.evidence.push_back({fmt::format("occupancy {} of at most {}", percent(*occupancy),
                                      percent(k.value_or("theoretical_occupancy_percent", 100))),
                          "achieved_occupancy_percent", *occupancy});
  }
  f.chain = {"each warp waits longer for its data or its turn than it works",
             "the other warps do not fill the time", "all units of the device idle part of it"};
  f.falsifier =
      "give each thread twice the independent work: if nothing gets busier, it waits for "
      "something else";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "how busy memory and multiprocessors are (the speed-of-light section)",
                     &judge);
}

}  // namespace

Rule rule_latency_bound_kernel() {
  return make_rule(
      {.id = "latency_bound_kernel",
       .layer = Layer::kKernel,
       .title = "Measured kernels that wait",
       .why =
           "Neither memory nor arithmetic is busy: the time goes into waiting, which more warps, "
           "more independent work for each, or fewer dependent steps would hide. A position, "
           "not a fault.",
       .thresholds = {{"most_percent", analysis::kBoundPercent,
                       "busy share of every part below which latency limits (the vendor's "
                       "speed-of-light rule)"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
