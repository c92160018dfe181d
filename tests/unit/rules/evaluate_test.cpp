// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rules/fixes.h"
#include "rules/rule.h"
#include "support/hand_made_analysis.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;

TEST(Evaluate, SortsByShareAndKeepsWhatWasNotEvaluated) {
  HandMade h;
  h.own("idle.starved.input:load", 20)
      .own("copy.exposed.h2d.pageable", 60)
      .own("idle.profiler", 20);
  const Findings findings = evaluate(h.analysis(), nullptr);
  ASSERT_EQ(findings.fired.size(), 3U);
  EXPECT_EQ(findings.fired[0].rule, "pageable_copies");
  EXPECT_EQ(findings.fired[1].rule, "input_starved");  // ties by id
  EXPECT_EQ(findings.fired[2].rule, "profiler_overhead");
  // Rules that need what a hand-made window lacks; each says what.
  EXPECT_FALSE(findings.not_evaluated.empty());
  std::set<std::string> lacking;
  for (const NotEvaluatedRule& rule : findings.not_evaluated) {
    EXPECT_FALSE(rule.needs.empty()) << rule.rule;
    lacking.insert(rule.rule);
  }
  EXPECT_EQ(lacking.count("tensor_cores_idle"), 1U);
  EXPECT_EQ(lacking.count("memory_near_limit"), 1U);
  EXPECT_EQ(lacking.count("pageable_copies"), 0U);
}

TEST(Evaluate, EveryRuleHasFixesAndExplainedThresholds) {
  for (const Rule& rule : all_rules()) {
    EXPECT_FALSE(shipped_fixes(rule.info.id).empty()) << rule.info.id;
    EXPECT_FALSE(rule.info.thresholds.empty()) << rule.info.id;
    for (const Threshold& t : rule.info.thresholds)
      EXPECT_STRNE(t.why, "") << rule.info.id << " " << t.name;
  }
  EXPECT_TRUE(shipped_fixes("no_such_rule").empty());
}

}  // namespace
}  // namespace rooflab::rules
