// SPDX-License-Identifier: Apache-2.0
#include "verdict/whatif.h"

#include <algorithm>

#include "verdict/by_gain.h"
#include "verdict/causes.h"

namespace rooflab::verdict {
namespace {

using graph::Change;
using graph::ChangeCall;
using graph::Outlook;

// Below this a gain is the simulation's own error, as for findings (rules/rule.cpp).
constexpr double kNothing = 1.02;

double worth(const graph::Gain& g) { return g.bound ? 1 + (g.high - 1) / 2 : g.likely; }

NextLimit next_limit(const graph::Predictor& after, const graph::Shares& shares) {
  const std::vector<CauseGain> causes = cause_gains(after);
  if (!causes.empty() && causes[0].gain.likely >= kLimitGain) {
    return {causes[0].limit, rules::stated(causes[0].gain)};
  }
  const std::vector<LimitShare> limits =
      limit_shares(*after.graph().analysis, shares.owners, shares.total);
  const auto holder = std::find_if(limits.begin(), limits.end(),
                                   [](const LimitShare& s) { return holds_device(s.limit); });
  if (holder != limits.end()) return {holder->limit, {}};
  return {limits.empty() ? Limit::kNone : limits[0].limit, {}};
}

std::vector<std::vector<std::string>> arguments_to_try(const Change& change) {
  if (!change.tries.empty()) return change.tries;
  const bool none_needed = change.arguments[0] == '\0' || change.arguments[0] == '[';
  if (none_needed) return {{}};
  return {};
}

}  // namespace

Result<Tried> try_changes(const graph::Predictor& predictor, const std::vector<ChangeCall>& calls) {
  Tried out;
  out.calls = calls;
  RL_TRY(out.gain, predictor.gain(calls));
  RL_TRY(const graph::Edited likely, predictor.edited(calls, Outlook::kLikely));
  RL_TRY(const graph::Predictor after, predictor.after(calls));
  out.applied = likely.applied;
  // The more the recorder cost, the shorter the step without it.
  out.before_low_ns = predictor.step_ns(Outlook::kLeast);
  out.before_high_ns = predictor.step_ns(Outlook::kMost);
  out.before = graph::shares_of(predictor.graph(), predictor.base(Outlook::kLikely));
  out.after = graph::shares_of(predictor.graph(), likely.scenario);
  out.next = next_limit(after, out.after);
  return out;
}

Offers offers(const graph::Predictor& predictor) {
  Offers out;
  for (const Change& change : graph::all_changes()) {
    const auto tries = arguments_to_try(change);
    if (tries.empty()) {
      out.need_arguments.push_back(std::string(change.name) + " " + change.arguments);
      continue;
    }
    bool gains = false;
    for (const std::vector<std::string>& arguments : tries) {
      const ChangeCall call{change.name, arguments};
      std::vector<graph::Applied> applied;
      const auto gain = predictor.gain({call}, &applied);
      if (!gain || applied.empty() || (gain->bound ? gain->high : gain->likely) < kNothing) {
        continue;
      }
      gains = true;
      out.worthwhile.push_back({call, *gain, applied[0]});
    }
    if (!gains) out.nothing.emplace_back(change.name);
  }
  std::stable_sort(out.worthwhile.begin(), out.worthwhile.end(),
                   [](const Offer& a, const Offer& b) { return worth(a.gain) > worth(b.gain); });
  return out;
}

}  // namespace rooflab::verdict
