// SPDX-License-Identifier: Apache-2.0
// Code is made ready inside the steps, and the device waits: module loading, just-in-time
// compilation, autotuning, graph capture. Once is warm-up; in every step it means that something
// (shapes, guards, a cache without a key that fits) changes each time.
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/idle_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr const char* kBranch = "idle.starved.compile";
constexpr double kLeastShare = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const Ratio share = analysis::branch_ratio(a.accounting, kBranch);
  if (share.value < kLeastShare) return Clear{};
  const Nanos stalled = analysis::branch_time(a.accounting, kBranch);
  const IdleEvidence causes = idle_evidence(a, kBranch, 3);
  const MarkedCalls calls = marked_calls(a, analysis::Marker::kCompile);
  Finding f;
  f.id = f.rule = "compile_stalls";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {kBranch};
  f.remedy = {{"remove-host", {"compile"}}};
  f.where = causes.culprit.empty() ? "compilation" : causes.culprit;
  f.title = "the device waits while code is compiled or loaded: " + f.where;
  f.evidence.push_back(
      {fmt::format("the device idles {} ({} of the window) while code is compiled, loaded or "
                   "captured",
                   human_time(stalled), human_percent(share)),
       "stalled_ns", static_cast<double>(stalled.value)});
  f.evidence.push_back(
      {fmt::format("{} such activities in the window, {}, {} in them", human_count(calls.count),
                   per_step(a, calls.count), human_time(calls.time)),
       "compile_calls_count", static_cast<double>(calls.count)});
  f.evidence.insert(f.evidence.end(), causes.rows.begin(), causes.rows.end());
  f.chain = {"a kernel or graph is needed that is not ready in this form",
             f.where + " makes it ready on the launching thread",
             "nothing is launched meanwhile and the device's queue runs empty"};
  f.falsifier =
      "run more steps: if it stops after the first ones, it was warm-up (leave it out with "
      "--skip-first)";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_compile_stalls() {
  return make_rule(
      {.id = "compile_stalls",
       .layer = Layer::kFramework,
       .title = "The device waits for code to be compiled or loaded",
       .why =
           "Kernels are loaded at their first use and compiled code is made for the shapes seen. "
           "In a steady state neither happens; inside timed steps it is warm-up, or shapes that "
           "change each time.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle meanwhile, share of the window; less gains below 1.05x"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
