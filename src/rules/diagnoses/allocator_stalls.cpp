// SPDX-License-Identifier: Apache-2.0
// Memory is reserved from the driver or given back to it inside the steps, and the device waits:
// each call for it takes the driver's lock and often waits until the device has finished. Says
// nothing about allocations that a caching allocator serves itself: they make no such call.
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/idle_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr const char* kBranch = "idle.starved.alloc";
constexpr double kLeastShare = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const Ratio share = analysis::branch_ratio(a.accounting, kBranch);
  if (share.value < kLeastShare) return Clear{};
  const Nanos stalled = analysis::branch_time(a.accounting, kBranch);
  const IdleEvidence causes = idle_evidence(a, kBranch, 3);
  const MarkedCalls calls = marked_calls(a, analysis::Marker::kAlloc);
  Finding f;
  f.id = f.rule = "allocator_stalls";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {kBranch};
  f.remedy = {{"remove-host", {"alloc"}}};
  f.where = causes.culprit.empty() ? "the allocator" : causes.culprit;
  f.title = "the device waits while memory is reserved or given back: " + f.where;
  f.evidence.push_back(
      {fmt::format("the device idles {} ({} of the window) while the launching thread is in calls "
                   "that reserve or free memory",
                   human_time(stalled), human_percent(share)),
       "stalled_ns", static_cast<double>(stalled.value)});
  f.evidence.push_back(
      {fmt::format("{} such calls in the window, {}, {} in them", human_count(calls.count),
                   per_step(a, calls.count), human_time(calls.time)),
       "alloc_calls_count", static_cast<double>(calls.count)});
  f.evidence.insert(f.evidence.end(), causes.rows.begin(), causes.rows.end());
  f.chain = {"the allocator has no cached block that fits, or gives its cache back",
             f.where + " goes to the driver, which may wait for the device",
             "nothing is launched meanwhile and the device's queue runs empty"};
  f.falsifier =
      "run more steps: if the calls stop after the first ones, they were warm-up (leave it out "
      "with --skip-first)";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_allocator_stalls() {
  return make_rule(
      {.id = "allocator_stalls",
       .layer = Layer::kFramework,
       .title = "The device waits for memory calls",
       .why = "Frameworks keep freed memory and serve later requests from it. Emptying that cache, "
              "sizes that change from step to step, or memory that is nearly full send requests to "
              "the driver in every step, and freeing there waits for the device.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle in such calls, share of the window; less gains below 1.05x"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
