// SPDX-License-Identifier: Apache-2.0
// Copies over a link fill the window and there is too little computation to hide them behind:
// moving fewer bytes, or using a faster link, is what is left. Where computation could hide most of
// them, `copy_not_overlapped` says so instead; copies from pageable memory are `pageable_copies`.
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/copies.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;
// 55 of 64 GB/s is what pinned copies reach on an H200's link; half of that is far below.
constexpr double kNearLink = 0.8;
constexpr double kFarBelowLink = 0.5;

std::string rate_words(const analysis::Analysis& a, double rate) {
  std::string text = "they run at " + human_rate(rate);
  if (a.hardware == nullptr || a.hardware->host_link.value <= 0) return text;
  const double use = rate / a.hardware->host_link.value;
  text += fmt::format(", {} of the link's {}", human_percent(Ratio{use}),
                      human_rate(a.hardware->host_link.value));
  if (use >= kNearLink) return text + ": as fast as it gets";
  if (use < kFarBelowLink) {
    return text + ": far below it (a shared or slower link, a distant memory node, small pieces)";
  }
  return text;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const ExposedCopies copies = exposed_copies(a);
  const Nanos window = analysis::window_total(a.accounting);
  const Ratio share = ratio_of(copies.exposed, window);
  if (share.value < kLeastShare || computation_can_hide(copies)) return Clear{};

  Finding f;
  f.id = f.rule = "transfer_bound";
  f.layer = Layer::kSystem;
  f.ratio = share;
  f.owners = copies.owners;
  f.remedy = {{"overlap-copies", {}}};
  f.where = copies.owners.front();
  f.title = "copies fill the window, with too little computation to hide them: " + f.where;
  f.evidence.push_back({fmt::format("{} of the window ({}) is spent in copies that nothing hides",
                                    human_time(copies.exposed), human_percent(share)),
                        "exposed_ns", static_cast<double>(copies.exposed.value)});
  f.evidence.push_back(
      {fmt::format("computation without a copy beside it: {}, so at most {} could be hidden",
                   human_time(copies.free_compute), human_time(copies.can_hide())),
       "can_hide_ns", static_cast<double>(copies.can_hide().value)});
  if (const double rate = link_rate(a); rate > 0) {
    f.evidence.push_back({rate_words(a, rate), "bytes_per_second", rate});
  }
  f.chain = {"each step moves its data over the link",
             "the link needs longer than the device computes", "the device waits for its data"};
  f.falsifier =
      "leave the data on the device and repeat the step on it: if it takes as long, the copies do "
      "not limit it";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_transfer_bound() {
  return make_rule(
      {.id = "transfer_bound",
       .layer = Layer::kSystem,
       .title = "Copies fill the window",
       .why = "A step cannot be shorter than its bytes need on the link. Overlap hides the shorter "
              "of the two only: where copies take longer than the computation, most of them stay.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "exposed copies that are not pageable; other profilers call 10 % of the "
                       "step significant"},
                      {"near_link_ratio", kNearLink,
                       "of the link's datasheet rate; pinned copies reach 0.86 of it on an H200"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
