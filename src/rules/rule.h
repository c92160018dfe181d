// SPDX-License-Identifier: Apache-2.0
// A diagnosis is one function whose parameter types are the evidence it needs, in one file
// src/rules/diagnoses/<id>.cpp:
//
//   namespace rooflab::rules { namespace {
//   Outcome check(const analysis::Analysis& a, const WithDeviceWork&, const WithHostCause&) { ... }
//   }  // namespace
//   Rule rule_input_starved() {
//     return make_rule({.id = "input_starved", .layer = Layer::kFramework, .title = ..., .why =
//     ...,
//                       .thresholds = {{"min_ratio", 0.05, "..."}}}, &check);
//   } }
//
// The parameter types after Analysis are evidence tags (evidence.h). A rule whose evidence is
// missing is not run: its outcome is "not evaluated: needs X", so a silence always means that the
// rule looked.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/analysis.h"
#include "graph/gain.h"
#include "rules/evidence.h"
#include "rules/finding.h"

namespace rooflab::rules {

struct Threshold {
  const char* name;
  double value;
  const char* why;  // source or reason, printed by `explain`
};

struct RuleInfo {
  const char* id;
  Layer layer;
  const char* title;
  const char* why;  // the mechanism, for `explain`
  std::vector<Threshold> thresholds;
  bool tested_on_real_input = true;  // false: "untested on real input", can never become the limit
};

struct Clear {};
struct NotEvaluated {
  std::string needs;
};
using Outcome = std::variant<Clear, std::vector<Finding>, NotEvaluated>;

struct Rule {
  RuleInfo info;
  std::function<Outcome(const analysis::Analysis&)> run;
};

template <class... Tags>
Rule make_rule(RuleInfo info, Outcome (*check)(const analysis::Analysis&, const Tags&...)) {
  return {std::move(info), [check](const analysis::Analysis& a) -> Outcome {
            std::string needs;
            const auto lacks = [&](const std::string& missing) {
              if (needs.empty()) needs = missing;
              return !missing.empty();
            };
            const bool missing = (false || ... || lacks(Tags::missing(a)));
            if (missing) return NotEvaluated{needs};
            return check(a, Tags{}...);
          }};
}

std::vector<Rule> all_rules();  // generated

struct NotEvaluatedRule {
  std::string rule;
  std::string needs;
};
struct Findings {
  // By likely gain (bounds by half of theirs), largest first, then by ratio and id; those whose
  // change gains nothing come last.
  std::vector<Finding> fired;
  std::vector<NotEvaluatedRule> not_evaluated;
};
// Gains are simulated where `predictor` is given and suitable.
[[nodiscard]] Findings evaluate(const analysis::Analysis& analysis,
                                const graph::Predictor* predictor);
// All ranks of a job, by place: each is judged alone. A finding of several ranks is given once, for
// the rank with the largest share of it, which its title names unless all ranks have it.
[[nodiscard]] Findings evaluate_ranks(const std::vector<const analysis::Analysis*>& ranks,
                                      const graph::Predictor* predictor);
// A simulated gain as findings and verdicts state it.
[[nodiscard]] Gain stated(const graph::Gain& gain);

}  // namespace rooflab::rules
