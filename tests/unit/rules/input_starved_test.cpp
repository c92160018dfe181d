// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/hand_made_analysis.h"
#include "support/recording.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "input_starved";

TEST(InputStarved, FiresAndNamesTheActivity) {
  HandMade h;
  h.own("idle.starved.input:load_batch", 60).because("load_batch");
  h.own("compute.gemm", 10).own("idle.starved.input:load_batch", 30).because("load_batch");
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.9);
  EXPECT_EQ(finding->where, "load_batch");
  ASSERT_GE(finding->evidence.size(), 2U);
  EXPECT_EQ(finding->evidence[0].value, 90e6);
  EXPECT_THAT(finding->evidence[1].text,
              HasSubstr("90.0 ms in 2 gaps, the longest 60.0 ms: load_batch"));
  EXPECT_FALSE(finding->fixes.empty());
  EXPECT_FALSE(finding->falsifier.empty());
}

TEST(InputStarved, WorkersThatExistAreNotAdvised) {
  const auto recorded = [](const char* file) {
    return rooflab::testing::analysed(rooflab::testing::test_data(file));
  };
  const auto with = recorded("h200/dataloader_workers8.json.gz");
  const auto without = recorded("h200/dataloader_workers0.json.gz");
  ASSERT_TRUE(with != nullptr && without != nullptr);
  const auto workers = fired(kId, with->analysis);
  const auto none = fired(kId, without->analysis);
  ASSERT_TRUE(workers && none);
  EXPECT_THAT(workers->fixes[0].text, HasSubstr("the workers cannot keep up"));
  EXPECT_THAT(workers->chain[0], HasSubstr("worker processes"));
  EXPECT_TRUE(proposes(*workers, {{"feed-loader", {}}}));
  EXPECT_TRUE(proposes(*none, {{"loader-workers", {"4"}}}));
  EXPECT_THAT(none->evidence.back().text, HasSubstr("how many cores are free"));
  EXPECT_THAT(none->fixes[0].text, HasSubstr("load in worker processes"));
  EXPECT_THAT(none->chain[0], HasSubstr("on the thread that launches"));
}

TEST(InputStarved, IsSilentBelowItsThreshold) {
  HandMade h;
  h.own("idle.starved.input:load_batch", 49).own("compute.gemm", 951);
  EXPECT_TRUE(silent(kId, h.analysis()));
  h.own("idle.starved.input:load_batch", 2);  // 51 of 1002: above 5 %
  EXPECT_TRUE(fired(kId, h.analysis()));
}

TEST(InputStarved, OtherStarvationIsNotInput) {
  HandMade h;
  h.own("idle.starved.inputs_are_no_branch", 50).own("idle.starved.range:input", 50);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(InputStarved, NeedsDeviceWorkAndLinks) {
  HandMade none;
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("device work"));
  HandMade unlinked;
  unlinked.own("idle.unlinked", 10);
  unlinked.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, unlinked.analysis()), HasSubstr("launch records"));
  HandMade damaged;
  damaged.own("compute.gemm", 10);
  damaged.profile().hygiene.add("unlinked_work", "f", 5, "hint", model::Claim::kLinks);
  EXPECT_THAT(needs(kId, damaged.analysis()), HasSubstr("launch records"));
}

TEST(InputStarved, FiresOnTheStarvedRecordingAndNotOnAHealthyOne) {
  const auto starved =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/loader_starved.json.gz"));
  ASSERT_NE(starved, nullptr);
  const auto finding = fired(kId, starved->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->where, "load_batch");
  EXPECT_GT(finding->ratio.value, 0.9);
  const auto healthy =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/transformer_healthy.json.gz"));
  ASSERT_NE(healthy, nullptr);
  EXPECT_TRUE(silent(kId, healthy->analysis));
}

TEST(InputStarved, TheClassicLoaderStory) {
  ROOFLAB_CASE(before, "public/tensorboard/resnet50_num_workers_0.json.gz");
  ROOFLAB_CASE(after, "public/tensorboard/resnet50_num_workers_4.json.gz");
  const auto slow = rooflab::testing::analysed(before);
  const auto fast = rooflab::testing::analysed(after);
  ASSERT_TRUE(slow != nullptr && fast != nullptr);
  EXPECT_TRUE(fired(kId, slow->analysis));
  EXPECT_TRUE(silent(kId, fast->analysis));
}

}  // namespace
}  // namespace rooflab::rules
