// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "compile_stalls";

TEST(CompileStalls, FiresAndNamesTheActivity) {
  HandMade h;
  h.own("idle.starved.compile", 20).because("load_module").own("compute.gemm", 80);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.2);
  EXPECT_EQ(finding->where, "load_module");
  EXPECT_THAT(finding->title, HasSubstr("code"));
  EXPECT_THAT(finding->evidence.back().text,
              HasSubstr("20.0 ms in 1 gap, the longest 20.0 ms: load_module"));
  EXPECT_TRUE(proposes(*finding, {{"remove-host", {"compile"}}}));
}

TEST(CompileStalls, IsSilentBelowItsThresholdAndForOtherHostTime) {
  HandMade little;
  little.own("idle.starved.compile", 4).own("compute.gemm", 96);
  EXPECT_TRUE(silent(kId, little.analysis()));
  HandMade other;
  other.own("idle.starved.host_code", 50).own("compute.gemm", 50);
  EXPECT_TRUE(silent(kId, other.analysis()));
}

TEST(CompileStalls, NeedsLaunchRecordsAndDeviceWork) {
  HandMade none;
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("device work"));
  HandMade unlinked;
  unlinked.own("idle.unlinked", 10);
  unlinked.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, unlinked.analysis()), HasSubstr("launch records"));
}

TEST(CompileStalls, IsSilentOnWarmedUpRecordings) {
  expect_silent_on(kId, {"transformer_healthy", "launch_bound", "loader_starved", "aa/a1"});
}

TEST(CompileStalls, FiresOnARecordedProgram) {
  const auto recording = h200("blind/compile_stalls.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.9);
  EXPECT_TRUE(proposes(*finding, {{"remove-host", {"compile"}}}));
}

}  // namespace
}  // namespace rooflab::rules
