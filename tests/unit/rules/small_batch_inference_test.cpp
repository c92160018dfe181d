// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "small_batch_inference";

TEST(SmallBatchInference, FiresOnOneItemAStepAndShowsAProduct) {
  const auto recording = h200("pairs/inference_graphed.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.7);
  EXPECT_EQ(finding->where, "aten::linear [[1,16,1024],[3072,1024],[3072]]");
  EXPECT_TRUE(proposes(*finding, {{"batch", {"8"}}}));
}

TEST(SmallBatchInference, IsSilentOnLargeBatchesAndTraining) {
  expect_silent_on(kId, {"healthy_inference_large_batch", "healthy_gemm_chain", "gemm_aligned",
                         "transformer_healthy", "aa/a1", "launch_bound", "loader_starved"});
}

TEST(SmallBatchInference, GraphReplaysHaveNoShapesToJudge) {
  const auto recording = h200("pairs/inference_graphed.after");
  ASSERT_NE(recording, nullptr);
  EXPECT_THAT(needs(kId, recording->analysis), HasSubstr("shapes of the matrix products"));
}

TEST(SmallBatchInference, NeedsShapes) {
  HandMade h;
  h.own("compute.gemm", 10);
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("shapes"));
}

TEST(SmallBatchInference, OneSentenceAtATimeOnBothVendorsDevices) {
  for (const char* name : {"h100_bert", "mi300_bert"}) {
    ROOFLAB_CASE(path, std::string("public/tracelens/") + name + ".json.gz");
    const auto recording = rooflab::testing::analysed(path);
    ASSERT_NE(recording, nullptr);
    EXPECT_TRUE(fired(kId, recording->analysis)) << name;
  }
  ROOFLAB_CASE(four, "public/tracelens/h100_falconsai.json.gz");  // four pictures of 197 patches
  const auto recording = rooflab::testing::analysed(four);
  ASSERT_NE(recording, nullptr);
  EXPECT_TRUE(silent(kId, recording->analysis));
}

}  // namespace
}  // namespace rooflab::rules
