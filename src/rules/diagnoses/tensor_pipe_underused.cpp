// SPDX-License-Identifier: Apache-2.0
// Measured kernels that use the matrix units, keep them busy for less than half of the time, and
// are limited by nothing else: the units wait for operands.
#include <fmt/format.h>

#include <algorithm>

#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

// Below it the units are used by the way, as for one small product of many steps.
constexpr double kLeastUse = 5;
constexpr double kMostUse = 50;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto tensor = k.value("tensor_percent");
  if (!tensor || k.limit == analysis::Roof::kUnknown) return {};
  const bool idles = *tensor >= kLeastUse && *tensor <= kMostUse;
  if (!idles || k.limit != analysis::Roof::kLatency) return {true, {}};
  Finding f = kernel_finding(a, k, "tensor_pipe_underused", FaultOrder::kTensor,
                             std::min(100 / *tensor, headroom(k)));
  f.title = fmt::format("{}: the matrix units work {} of the time and wait for operands",
                        short_name(a, k), percent(*tensor));
  f.evidence.push_back({fmt::format("matrix units {} busy, memory {}", percent(*tensor),
                                    percent(k.value_or("memory_percent", 0))),
                        "tensor_percent", *tensor});
  const analysis::Stall stall = analysis::largest_stall(k);
  if (!stall.metric.empty()) {
    f.evidence.push_back({fmt::format("largest wait, {} of a warp's time: {}",
                                      percent(100 * stall.share), stall_words(stall.metric)),
                          "largest_stall_ratio", stall.share});
  }
  f.chain = {"loads of the next operands are not far enough ahead of the products",
             "the matrix units wait for them", "neither memory nor arithmetic is busy"};
  f.falsifier =
      "add a stage to the pipeline of loads: if the units get no busier, they wait for "
      "something else";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "use of the matrix units (the compute section)", &judge);
}

}  // namespace

Rule rule_tensor_pipe_underused() {
  return make_rule(
      {.id = "tensor_pipe_underused",
       .layer = Layer::kKernel,
       .title = "Matrix units that wait for operands",
       .why =
           "A product on the matrix units should keep them busy or memory. Where neither is, the "
           "operands come too late: too few stages of loads ahead, or too small a tile.",
       .thresholds = {{"least_percent", kLeastUse, "use below it is by the way"},
                      {"most_percent", kMostUse,
                       "use above it is a product that works; good ones reach 90 "
                       "(tests/data/h200/ncu)"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
