// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "allocator_stalls";

TEST(AllocatorStalls, FiresAndNamesTheActivity) {
  HandMade h;
  h.own("idle.starved.alloc", 20).because("reserve_memory").own("compute.gemm", 80);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.2);
  EXPECT_EQ(finding->where, "reserve_memory");
  EXPECT_THAT(finding->title, HasSubstr("memory"));
  EXPECT_THAT(finding->evidence.back().text,
              HasSubstr("20.0 ms in 1 gap, the longest 20.0 ms: reserve_memory"));
  EXPECT_TRUE(proposes(*finding, {{"remove-host", {"alloc"}}}));
}

TEST(AllocatorStalls, IsSilentBelowItsThresholdAndForOtherHostTime) {
  HandMade little;
  little.own("idle.starved.alloc", 4).own("compute.gemm", 96);
  EXPECT_TRUE(silent(kId, little.analysis()));
  HandMade other;
  other.own("idle.starved.host_code", 50).own("compute.gemm", 50);
  EXPECT_TRUE(silent(kId, other.analysis()));
}

TEST(AllocatorStalls, NeedsLaunchRecordsAndDeviceWork) {
  HandMade none;
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("device work"));
  HandMade unlinked;
  unlinked.own("idle.unlinked", 10);
  unlinked.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, unlinked.analysis()), HasSubstr("launch records"));
}

TEST(AllocatorStalls, IsSilentOnWarmedUpRecordings) {
  expect_silent_on(kId, {"transformer_healthy", "launch_bound", "loader_starved", "aa/a1"});
}

TEST(AllocatorStalls, FiresOnARecordedProgram) {
  const auto recording = h200("blind/allocator_stalls.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.3);
  EXPECT_TRUE(proposes(*finding, {{"remove-host", {"alloc"}}}));
}

}  // namespace
}  // namespace rooflab::rules
