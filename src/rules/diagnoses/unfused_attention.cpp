// SPDX-License-Identifier: Apache-2.0
// Attention written out as product, softmax and product: the scores go through memory several
// times.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithShapes& /*has*/) {
  const RunSum sum = sum_of(a, a.faults.attention);
  const Ratio share = share_of_window(a, sum.now);
  if (sum.largest == nullptr || share.value < kLeastShare) return Clear{};
  const model::WorkId first = a.faults.attention.works[sum.largest->first];
  const std::string operators = operators_text(a, a.faults.attention, *sum.largest);

  Finding f;
  f.id = f.rule = "unfused_attention";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"compute.gemm", "compute.norm", "compute.elementwise"};
  if (sum.timed) f.remedy = {{"fused-attention", {}}};
  f.where = operators;
  f.title = "attention is written out: its scores go through memory";
  f.evidence.push_back(
      {fmt::format("{} attentions of {} kernels take {} ({} of the window)", human_count(sum.runs),
                   human_count(sum.works), human_time(sum.now), human_percent(share)),
       "attention_ns", static_cast<double>(sum.now.value)});
  f.evidence.push_back({fmt::format("they move {}; queries, keys, values and results alone are {}",
                                    human_bytes(Bytes(static_cast<std::int64_t>(sum.bytes_now))),
                                    human_bytes(Bytes(static_cast<std::int64_t>(sum.bytes_then)))),
                        "moved_bytes", sum.bytes_now});
  f.evidence.push_back({fmt::format("largest: {} from {}", operators, call_text(a, first)),
                        "largest_ns", static_cast<double>(sum.largest->ns_now)});
  f.chain = {"scores, softmax and weighting are operators of their own",
             "each writes a value for every pair of positions to memory",
             "the matrix units wait for memory"};
  f.falsifier =
      "replace one of them by the framework's fused attention: if the step takes as "
      "long, the mask or type rules the fused kernels out";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_unfused_attention() {
  return make_rule(
      {.id = "unfused_attention",
       .layer = Layer::kFramework,
       .title = "Attention that is not fused",
       .why = "Attention has a score for every pair of positions. Written out, all scores pass "
              "through memory several times; a fused kernel keeps a tile of them on chip and "
              "never writes them.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these kernels fill"},
                      {"reach_kernels", 8,
                       "kernels between the softmax and its products: scale, mask, dropout, "
                       "casts and copies"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
