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

constexpr const char* kId = "unfused_attention";

HandMade written_out(std::int64_t ms) {
  HandMade h = with_shapes();
  add_run(h, h.analysis().faults.attention, "softmax", {ms, ms, ms}, 1);
  return h;
}

TEST(UnfusedAttention, FiresWithWhatItMoves) {
  HandMade h = written_out(10);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.3);
  EXPECT_EQ(finding->remedy[0].name, "fused-attention");
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("they move 5.00 GB"));
}

TEST(UnfusedAttention, IsSilentBelowItsShare) {
  HandMade h = written_out(1);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(UnfusedAttention, NeedsShapes) {
  HandMade h = written_out(10);
  h.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("record_shapes"));
}

TEST(UnfusedAttention, IsSilentOnFusedAttention) {
  for (const char* file :
       {"h200/transformer_healthy.json.gz", "h200/healthy_inference_large_batch.json.gz"}) {
    const auto recording = rooflab::testing::analysed(rooflab::testing::test_data(file));
    ASSERT_TRUE(recording != nullptr);
    EXPECT_TRUE(silent(kId, recording->analysis)) << file;
  }
}

TEST(UnfusedAttention, FindsAWrittenOutOneInARecording) {
  ROOFLAB_CASE(path, "public/tracelens/h100_timesformer.json.gz");
  const auto recording = rooflab::testing::analysed(path);
  ASSERT_TRUE(recording != nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->where,
            "aten::copy_, aten::copy_, aten::bmm, aten::mul, aten::_softmax, 3 more");
  EXPECT_GT(finding->ratio.value, 0.7);
}

}  // namespace
}  // namespace rooflab::rules
