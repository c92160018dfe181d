// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_runs.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using ::testing::HasSubstr;

using rooflab::testing::analysed_profile;
using rooflab::testing::training_step;

constexpr const char* kId = "recompute";

TEST(Recompute, FiresOnForwardOperatorsInsideTheBackwardPass) {
  const auto made = analysed_profile(training_step(true));
  ASSERT_NE(made, nullptr);
  const auto finding = fired(kId, made->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->where, "aten::linear");
  EXPECT_EQ(finding->evidence[0].value, 300'000);  // three of nine kernels of 100 us
  EXPECT_NEAR(finding->ratio.value, 1.0 / 3, 0.01);
  EXPECT_TRUE(proposes(*finding, {{"no-recompute", {}}}));
}

TEST(Recompute, GradientsAloneAreNone) {
  const auto made = analysed_profile(training_step(false));
  ASSERT_NE(made, nullptr);
  EXPECT_TRUE(silent(kId, made->analysis));
}

TEST(Recompute, NeedsOperatorsAndShapes) {
  model::Profile p = training_step(true);
  p.provenance.shapes_recorded = false;
  const auto made = analysed_profile(std::move(p));
  ASSERT_NE(made, nullptr);
  EXPECT_THAT(needs(kId, made->analysis), HasSubstr("shapes"));
}

TEST(Recompute, IsSilentOnTrainingWithoutCheckpoints) {
  expect_silent_on(kId, {"transformer_healthy", "aa/a1", "ddp/balanced.rank0"});
}

TEST(Recompute, FiresOnARecordedProgram) {
  const auto recording = h200("blind/recompute.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.1);
  EXPECT_TRUE(proposes(*finding, {{"no-recompute", {}}}));
}

}  // namespace
}  // namespace rooflab::rules
