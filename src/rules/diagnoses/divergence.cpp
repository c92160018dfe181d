// SPDX-License-Identifier: Apache-2.0
// Measured kernels that arithmetic or issuing limits, while many threads of their warps are off:
// they branch differently, or the block is no multiple of a warp.
#include <fmt/format.h>

#include <cmath>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kMostActive = 0.75;

double warp_size(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  constexpr double kUsual = 32;
  if (k.device.row >= a.profile->devices.size()) return kUsual;
  const int size = a.profile->devices[k.device.row].warp_size;
  return size > 0 ? size : kUsual;
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto threads = k.value("threads_per_instruction");
  if (!threads || !(*threads > 0)) return {};
  const double warp = warp_size(a, k);
  const double active = *threads / warp;
  // Memory that is busy does not care how many threads asked.
  if (active > kMostActive || k.limit == analysis::Roof::kMemory) return {true, {}};
  Finding f = kernel_finding(a, k, "divergence", FaultOrder::kDivergence, 1 / active);
  f.title = fmt::format("{}: an instruction runs for {:.1f} of {:.0f} threads", short_name(a, k),
                        *threads, warp);
  f.evidence.push_back({fmt::format("{:.1f} threads an instruction, {} of a warp", *threads,
                                    human_percent(Ratio{active})),
                        "threads_per_instruction", *threads});
  if (const auto issue = k.value("issue_percent"))
    f.evidence.push_back(
        {fmt::format("issue slots {} busy", percent(*issue)), "issue_percent", *issue});
  const double block = k.value_or("block_threads", 0);
  const bool partial = block > 0 && std::fmod(block, warp) != 0;
  if (partial) {
    f.evidence.push_back(
        {fmt::format("a block of {:.0f} threads leaves its last warp partly empty", block),
         "block_threads", block});
  }
  f.chain = {partial ? "blocks are no multiple of a warp, or threads of a warp branch differently"
                     : "threads of one warp take different branches",
             "the warp runs each branch in turn, with the other threads off",
             "issue slots and pipes do a part of the work they could"};
  f.falsifier =
      "sort the work so that a warp's threads branch alike: if the time does not fall, "
      "issuing is not its limit";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "threads an instruction (the warp state section)", &judge);
}

}  // namespace

Rule rule_divergence() {
  return make_rule(
      {.id = "divergence",
       .layer = Layer::kKernel,
       .title = "Threads of a warp that branch differently",
       .why = "A warp has one instruction at a time. Threads that take another branch wait, and "
              "each branch is run for the few threads that need it.",
       .thresholds = {{"most_active_ratio", kMostActive,
                       "threads an instruction runs for, of a warp's; kernels without the fault "
                       "have 0.999 (tests/data/h200/ncu)"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
