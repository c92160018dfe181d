// SPDX-License-Identifier: Apache-2.0
// Copies that nothing hides although the same window holds enough computation to hide them: they
// run on the stream that computes, or the step waits for its own data instead of the next step's
// being fetched meanwhile. Where there is too little computation, `transfer_bound` says so instead;
// copies from pageable memory cannot overlap and are `pageable_copies`.
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/copies.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

std::string stream_words(const ExposedCopies& copies) {
  if (copies.on_compute_stream == copies.count) {
    return "all of them run on the stream that computes, one after another with its kernels";
  }
  if (copies.on_compute_stream == 0) {
    return "they run on a stream of their own, but kernels wait for them: they are issued too late";
  }
  return fmt::format("{} of {} run on the stream that computes",
                     human_count(copies.on_compute_stream), human_count(copies.count));
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const ExposedCopies copies = exposed_copies(a);
  const Nanos window = analysis::window_total(a.accounting);
  const Ratio share = ratio_of(copies.exposed, window);
  if (share.value < kLeastShare || !computation_can_hide(copies)) return Clear{};

  Finding f;
  f.id = f.rule = "copy_not_overlapped";
  f.layer = Layer::kSystem;
  f.ratio = share;
  f.owners = copies.owners;
  f.remedy = {{"overlap-copies", {}}};
  f.where = copies.owners.front();
  f.title = "copies run alone while computation could hide them: " + f.where;
  f.evidence.push_back({fmt::format("{} of the window ({}) is spent in copies that nothing hides",
                                    human_time(copies.exposed), human_percent(share)),
                        "exposed_ns", static_cast<double>(copies.exposed.value)});
  f.evidence.push_back(
      {fmt::format("computation without a copy beside it: {}, enough to hide {} of them",
                   human_time(copies.free_compute), human_time(copies.can_hide())),
       "can_hide_ns", static_cast<double>(copies.can_hide().value)});
  if (copies.count > 0) {
    f.evidence.push_back({stream_words(copies), "on_compute_stream_count",
                          static_cast<double>(copies.on_compute_stream)});
  }
  f.chain = {"the copy is issued when its data is needed, in the order of the computation",
             "the kernels of the step wait for it", "compute units idle while the link works"};
  f.falsifier =
      "issue the copies one step earlier on a stream of their own: if they still run alone, the "
      "computation needs their result at once";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_copy_not_overlapped() {
  return make_rule(
      {.id = "copy_not_overlapped",
       .layer = Layer::kSystem,
       .title = "Copies that computation could hide",
       .why =
           "The device copies and computes at the same time if both are on different streams and "
           "neither needs the other. A copy on the computing stream, or one that is issued when "
           "its data is already needed, runs alone.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "exposed copies that are not pageable; hiding less gains below 1.05x"},
                      {"least_hideable_ratio", 0.5,
                       "share of them that fits beside the computation; below it transfer_bound"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
