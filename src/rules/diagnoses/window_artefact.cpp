// SPDX-License-Identifier: Apache-2.0
// Gaps that the program may not have: work was launched long before the gap and starts only after
// it, or the work that ends it has no launch record. Either it waited for other work, or work is
// missing from the file (cut or sampled traces, graph nodes that were not recorded). Idle is not
// proven there.
#include <fmt/format.h>

#include "analysis/idle_causes.h"
#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.02;
constexpr double kNoVerdictShare = 0.10;

bool unproven(std::string_view owner) {
  return analysis::in_branch(owner, "idle.blocked") || analysis::in_branch(owner, "idle.unlinked");
}

void add_gaps(const analysis::Analysis& a, Finding& f) {
  std::size_t named = 0;
  for (const analysis::Gap& gap : analysis::gaps(a.accounting)) {
    if (!unproven(gap.owner_name)) continue;
    const bool known = gap.work.valid() && gap.work.row < a.profile->work.size();
    const std::string what =
        known ? std::string(a.profile->text(a.profile->work.name[gap.work.row])) : "nothing";
    f.evidence.push_back({fmt::format("{} at {}, ended by {}", human_time(gap.end - gap.start),
                                      human_time(gap.start - a.window.start), what),
                          "gap_ns", static_cast<double>((gap.end - gap.start).value)});
    if (++named == 3) break;
  }
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const Nanos blocked = analysis::branch_time(a.accounting, "idle.blocked");
  const Nanos unlinked = analysis::branch_time(a.accounting, "idle.unlinked");
  const Ratio share = ratio_of(blocked + unlinked, analysis::window_total(a.accounting));
  if (share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "window_artefact";
  f.layer = Layer::kSystem;
  f.ratio = share;
  f.owners = {"idle.blocked", "idle.unlinked"};
  f.title = "gaps that may be work missing from the file";
  f.evidence.push_back(
      {fmt::format("{} of the window ({}): {} between a launch long before and its start, {} "
                   "before work without a launch record",
                   human_time(blocked + unlinked), human_percent(share), human_time(blocked),
                   human_time(unlinked)),
       "unproven_idle_ns", static_cast<double>((blocked + unlinked).value)});
  add_gaps(a, f);
  if (share.value > kNoVerdictShare) {
    f.evidence.push_back(
        {fmt::format("above {} no verdict is given", human_percent(Ratio{kNoVerdictShare})), "",
         0});
  }
  f.chain = {"work was launched, so the device could have started it",
             "it starts much later: something ran or was awaited meanwhile",
             "the file does not show what: it is cut, sampled, or the wait is on another device"};
  f.falsifier =
      "record the whole run (no sampling, no cut): if the gaps stay, they are real waits between "
      "streams or devices";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_window_artefact() {
  return make_rule(
      {.id = "window_artefact",
       .layer = Layer::kSystem,
       .title = "Gaps that may be work missing from the file",
       .why = "A launched kernel starts within microseconds when the device is free. Where it "
              "does not, the device was busy with something that is not in the file, or waited "
              "for another stream or device; calling that idle would be wrong.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window; whole recordings stay below 0.2 %, cut and sampled "
                       "ones show 7 to 98 %"},
                      {"no_verdict_ratio", kNoVerdictShare, "above it the verdict abstains"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
