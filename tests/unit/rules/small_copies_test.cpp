// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/copies.h"
#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "small_copies";

TEST(SmallCopies, TellsTheRecordedPairApart) {
  const auto before = h200("pairs/copies_coalesced.before");
  const auto after = h200("pairs/copies_coalesced.after");
  ASSERT_TRUE(before != nullptr && after != nullptr);
  const auto finding = fired(kId, before->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.5);
  // 7 steps of 200 copies of 2 KiB: as built in.
  EXPECT_EQ(finding->evidence[0].value, 1400);
  EXPECT_THAT(finding->title, HasSubstr("200 a step"));
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("2.05 kB on average"));
  EXPECT_TRUE(proposes(*finding, {{"coalesce-copies", {}}}));
  EXPECT_TRUE(silent(kId, after->analysis));
}

TEST(SmallCopies, ValuesReadBackOneByOneAreNotItsBusiness) {
  // 40 read-backs of four bytes a step: host_sync.
  const auto recording = h200("sync_bound");
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(small_copies(recording->analysis).count, 0);
  EXPECT_TRUE(silent(kId, recording->analysis));
}

TEST(SmallCopies, LargeAndFewCopiesAreNoReason) {
  expect_silent_on(kId, {"large_pageable_copy", "large_pinned_copy", "overlap_copy_compute",
                         "loader_starved", "transformer_healthy"});
}

TEST(SmallCopies, NeedsLaunchRecordsAndDeviceWork) {
  HandMade none;
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("device work"));
  HandMade unlinked;
  unlinked.own("idle.unlinked", 10);
  unlinked.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, unlinked.analysis()), HasSubstr("launch records"));
}

}  // namespace
}  // namespace rooflab::rules
