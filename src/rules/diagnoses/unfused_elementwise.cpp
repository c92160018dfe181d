// SPDX-License-Identifier: Apache-2.0
// Chains of memory-bound elementwise kernels and reductions over one tensor that could be one
// kernel. The evidence is bytes: what the chain moves and what one kernel would. Short kernels,
// whose time is not explained by their bytes, are a matter of launches (small_kernels).
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;
constexpr double kLeastSaved = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/, const WithShapes& /*has*/,
              const WithKnownDevice& /*has*/) {
  const RunSum sum = sum_of(a, a.faults.elementwise);
  const Ratio share = share_of_window(a, sum.now);
  const Ratio saved = share_of_window(a, sum.now - sum.then);
  if (sum.largest == nullptr || share.value < kLeastShare || saved.value < kLeastSaved)
    return Clear{};
  const model::WorkId first = a.faults.elementwise.works[sum.largest->first];
  const std::string operators = operators_text(a, a.faults.elementwise, *sum.largest);

  Finding f;
  f.id = f.rule = "unfused_elementwise";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"compute.elementwise", "compute.reduction", "compute.layout"};
  f.remedy = {{"fuse", {}}};
  f.where = operators;
  f.title = fmt::format("a chain of {} memory-bound kernels is not fused", sum.largest->count);
  f.evidence.push_back(
      {fmt::format("{} kernels in {} chains take {} ({} of the window) and move {}",
                   human_count(sum.works), human_count(sum.runs), human_time(sum.now),
                   human_percent(share),
                   human_bytes(Bytes(static_cast<std::int64_t>(sum.bytes_now)))),
       "chains_ns", static_cast<double>(sum.now.value)});
  f.evidence.push_back(
      {fmt::format("one kernel for each chain would move {}: its inputs and its result",
                   human_bytes(Bytes(static_cast<std::int64_t>(sum.bytes_then)))),
       "fused_bytes", sum.bytes_then});
  f.evidence.push_back({fmt::format("largest: {} from {}", operators, call_text(a, first)),
                        "largest_ns", static_cast<double>(sum.largest->ns_now)});
  f.chain = {"each operator is a kernel of its own",
             "it writes its result to memory and the next one reads it back",
             "memory bandwidth, not arithmetic, sets the time"};
  f.falsifier =
      "compile the chain into one kernel: if it takes as long, the values between are "
      "needed elsewhere";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_unfused_elementwise() {
  return make_rule(
      {.id = "unfused_elementwise",
       .layer = Layer::kFramework,
       .title = "Memory-bound kernels that could be one",
       .why = "An elementwise kernel takes as long as its operands need to pass through memory. "
              "In a chain each value makes that way once for every operator; fused, it stays on "
              "chip between them.",
       .thresholds = {{"least_share_ratio", kLeastShare, "share of the window that chains fill"},
                      {"least_saved_ratio", kLeastSaved,
                       "share of the window whose bytes need not move"},
                      {"least_memory_ratio", 0.3,
                       "of a chain's time its bytes at full bandwidth must explain"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
