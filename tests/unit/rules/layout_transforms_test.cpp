// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/rules/fault_support.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using rooflab::testing::with_shapes;
using ::testing::HasSubstr;

constexpr const char* kId = "layout_transforms";

HandMade copies(bool convolution, std::int64_t ms) {
  HandMade h = with_shapes();
  h.analysis().faults.layout.push_back({h.launch("nchwToNhwc", 0, ms * 1'000'000), convolution});
  return h;
}

TEST(LayoutTransforms, FiresAroundConvolutionsWithARemedy) {
  HandMade h = copies(true, 10);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.1);
  ASSERT_EQ(finding->remedy.size(), 1U);
  EXPECT_EQ(finding->remedy[0].name, "channels-last");
  EXPECT_THAT(finding->fixes[0].text, HasSubstr("channels_last"));
}

TEST(LayoutTransforms, KnowsNoChangeForOtherCopies) {
  HandMade h = copies(false, 10);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_TRUE(finding->remedy.empty());
  EXPECT_THAT(finding->fixes[0].text, HasSubstr("permute once"));
}

TEST(LayoutTransforms, IsSilentBelowItsShareAndOnAHealthyRecording) {
  HandMade h = copies(true, 4);
  EXPECT_TRUE(silent(kId, h.analysis()));
  const auto recording = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/healthy_inference_large_batch.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  EXPECT_TRUE(silent(kId, recording->analysis));
}

TEST(LayoutTransforms, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

TEST(LayoutTransforms, FiresOnARecordedProgram) {
  const auto recording = h200("blind/channels_last.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.15);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("one channel in each block"));
  EXPECT_TRUE(proposes(*finding, {{"channels-last", {}}}));
}

}  // namespace
}  // namespace rooflab::rules
