// SPDX-License-Identifier: Apache-2.0
#include "rules/stall.h"

#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/idle_evidence.h"

namespace rooflab::rules {

Outcome stall_finding(const analysis::Analysis& a, const Stall& s) {
  const std::string branch = std::string("idle.starved.") + s.kind;
  const Ratio share = analysis::branch_ratio(a.accounting, branch);
  if (share.value < s.least_share) return Clear{};
  const Nanos stalled = analysis::branch_time(a.accounting, branch);
  const IdleEvidence causes = idle_evidence(a, branch, 3);
  const MarkedCalls calls = marked_calls(a, s.marker);
  Finding f;
  f.id = f.rule = s.rule;
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {branch};
  f.remedy = {{"remove-host", {s.kind}}};
  f.where = causes.culprit.empty() ? s.nobody : causes.culprit;
  f.title = s.title + f.where;
  f.evidence.push_back({fmt::format("the device idles {} ({} of the window) while {}",
                                    human_time(stalled), human_percent(share), s.meanwhile),
                        "stalled_ns", static_cast<double>(stalled.value)});
  f.evidence.push_back(
      {fmt::format("{} such {} in the window, {}, {} in them", human_count(calls.count), s.calls,
                   per_step(a, calls.count), human_time(calls.time)),
       s.calls_key, static_cast<double>(calls.count)});
  f.evidence.insert(f.evidence.end(), causes.rows.begin(), causes.rows.end());
  f.chain = {s.first, f.where + " " + s.second,
             "nothing is launched meanwhile and the device's queue runs empty"};
  f.falsifier = s.falsifier;
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace rooflab::rules
