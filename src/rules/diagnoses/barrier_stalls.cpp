// SPDX-License-Identifier: Apache-2.0
// Measured kernels that wait, most of all at the barriers of their blocks. Where another wait is
// larger the barrier only shows it: warps wait there for one that waits for memory.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.30;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto share = analysis::stall_share(k, "stall_barrier");
  if (!share || k.limit == analysis::Roof::kUnknown) return {};
  const bool largest = analysis::largest_stall(k).metric == "stall_barrier";
  if (k.limit != analysis::Roof::kLatency || *share < kLeastShare || !largest) return {true, {}};
  Finding f = kernel_finding(a, k, "barrier_stalls", FaultOrder::kBarrier,
                             std::min(1 / (1 - std::min(*share, 0.99)), headroom(k)));
  f.title = fmt::format("{}: warps wait at barriers {} of the time", short_name(a, k),
                        human_percent(Ratio{*share}));
  f.evidence.push_back(
      {fmt::format("{:.1f} of the {:.1f} cycles between two instructions of a warp",
                   k.value_or("stall_barrier", 0), k.value_or("warp_latency_cycles", 0)),
       "barrier_ratio", *share});
  if (const auto threads = k.value("block_threads"))
    f.evidence.push_back(
        {fmt::format("{:.0f} threads a block", *threads), "block_threads", *threads});
  f.chain = {"warps of a block reach its barriers at different times",
             "those that are early wait for the last one",
             "the multiprocessor has nothing else to "
             "run"};
  f.falsifier =
      "take one barrier out where the result allows it: if the time does not fall, they "
      "are not what it waits for";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "stall reasons (the warp state section)", &judge);
}

}  // namespace

Rule rule_barrier_stalls() {
  return make_rule(
      {.id = "barrier_stalls",
       .layer = Layer::kKernel,
       .title = "Warps that wait at barriers",
       .why =
           "A barrier makes the warps of a block wait for the slowest. With uneven work, or with "
           "few blocks to run meanwhile, the multiprocessor idles.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "of a warp's time, and more than any other wait; the vendor's rule also "
                       "starts there"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
