// SPDX-License-Identifier: Apache-2.0
// Measured kernels that device memory limits and that move much more than their operator's inputs
// and outputs. Needs the operator's shapes, so counters that were matched with a trace.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastRatio = 2.0;

Bytes bytes(double value) { return Bytes(static_cast<std::int64_t>(std::clamp(value, 0.0, 9e18))); }

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto moved = analysis::measured_dram_bytes(k);
  if (!moved || !k.compulsory_bytes || *k.compulsory_bytes <= 0) return {};
  const double ratio = *moved / *k.compulsory_bytes;
  const bool limits = k.limit == analysis::Roof::kMemory && (k.level == "dram" || k.level == "l2");
  if (ratio < kLeastRatio || !limits) return {true, {}};
  Finding f = kernel_finding(a, k, "excess_traffic", FaultOrder::kTraffic, ratio);
  f.title = fmt::format("{} moves {:.1f} times the bytes that it needs", short_name(a, k), ratio);
  f.evidence.push_back(
      {fmt::format("{} of device memory, where inputs and outputs are {}",
                   human_bytes(bytes(*moved)), human_bytes(bytes(*k.compulsory_bytes))),
       "excess_ratio", ratio});
  if (const auto hits = k.value("l2_hit_percent"))
    f.evidence.push_back({fmt::format("L2 hits {}", percent(*hits)), "l2_hit_percent", *hits});
  f.chain = {"data is used again after it left the caches, or more is fetched than used",
             "the same bytes cross device memory several times", "device memory sets the pace"};
  f.falsifier =
      "process the data in pieces that fit L2: if the bytes do not fall, the kernel needs "
      "them";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/, const WithShapes& /*has*/) {
  return each_kernel(a, "bytes of device memory for kernels whose operator's shapes are known",
                     &judge);
}

}  // namespace

Rule rule_excess_traffic() {
  return make_rule(
      {.id = "excess_traffic",
       .layer = Layer::kKernel,
       .title = "More memory traffic than the data needs",
       .why = "Inputs must be read and outputs written once. What is beyond that was fetched again "
              "after it fell out of the caches, or fetched and not used.",
       .thresholds = {{"least_ratio", kLeastRatio,
                       "measured bytes over those of inputs and outputs"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
