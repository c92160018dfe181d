// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "not_steady_state";

// Steps of these lengths in milliseconds.
HandMade steps(const std::vector<std::int64_t>& lengths) {
  HandMade h;
  std::int64_t at = 0;
  for (const std::int64_t ms : lengths) {
    h.own("compute.gemm", ms);
    analysis::Unit unit;
    unit.has_device = unit.complete = true;
    unit.device_start = Nanos(at * 1'000'000);
    unit.device_end = Nanos((at + ms) * 1'000'000);
    at += ms;
    h.analysis().units.units.push_back(unit);
  }
  h.analysis().window.unit_count = lengths.size();
  return h;
}

TEST(NotSteadyState, FiresOnDriftEitherWay) {
  HandMade slower = steps({10, 10, 10, 11, 11, 12, 13, 13, 13});
  const auto finding = fired(kId, slower.analysis());
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->title, HasSubstr("get slower"));
  EXPECT_NEAR(finding->evidence[0].value, 0.3, 1e-9);
  EXPECT_EQ(finding->ratio.value, 0);
  EXPECT_TRUE(finding->remedy.empty());
  HandMade faster = steps({14, 14, 14, 11, 11, 10, 10, 10, 10});
  ASSERT_TRUE(fired(kId, faster.analysis()));
  EXPECT_THAT(fired(kId, faster.analysis())->title, HasSubstr("get faster"));
}

TEST(NotSteadyState, ASlowStepOrTooFewStepsAreNoDrift) {
  EXPECT_TRUE(silent(kId, steps({10, 10, 10, 10, 10, 10, 10, 10, 90}).analysis()));
  EXPECT_TRUE(silent(kId, steps({10, 10, 10, 20, 20, 20}).analysis()));
  HandMade bursts = steps({1, 1, 1, 2, 2, 2, 3, 3, 3});
  bursts.analysis().window.burst_period_units = 4;
  EXPECT_TRUE(silent(kId, bursts.analysis()));
}

TEST(NotSteadyState, NeedsSteps) {
  HandMade h;
  h.own("compute.gemm", 10);
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("repeated steps"));
}

TEST(NotSteadyState, FiresOnThePrefilledQueueAndNotOnSteadyLoops) {
  const auto recording = h200("dataloader_workers8");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("not in steady state"));
  expect_silent_on(kId, {"loader_steady_w4", "loader_steady_w0", "launch_bound", "aa/a1", "aa/a2",
                         "aa/b1", "transformer_healthy"});
}

}  // namespace
}  // namespace rooflab::rules
