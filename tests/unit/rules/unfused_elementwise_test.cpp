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

constexpr const char* kId = "unfused_elementwise";

HandMade chain(double then_ms) {
  HandMade h = with_shapes();
  h.on(rooflab::testing::test_device());
  add_run(h, h.analysis().faults.elementwise, "add", {10, 10}, then_ms);
  return h;
}

TEST(UnfusedElementwise, FiresWithBytes) {
  HandMade h = chain(5);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.2);
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("move 5.00 GB"));
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("1.00 GB"));
}

TEST(UnfusedElementwise, IsSilentWhereLittleIsSaved) {
  HandMade h = chain(16);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(UnfusedElementwise, NeedsShapesAndAKnownDevice) {
  HandMade shapes = chain(5);
  shapes.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, shapes.analysis()), HasSubstr("record_shapes"));
  HandMade device = chain(5);
  device.analysis().kernels.device_name.clear();
  EXPECT_THAT(needs(kId, device.analysis()), HasSubstr("peaks are known"));
}

TEST(UnfusedElementwise, FindsTheRecordedChain) {
  const auto recording = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/elementwise_memory_bound.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->title, "a chain of 5 memory-bound kernels is not fused");
  EXPECT_EQ(finding->where, "aten::sigmoid, aten::mul, aten::add, aten::tanh, aten::mul");
  EXPECT_GT(finding->ratio.value, 0.8);
}

TEST(UnfusedElementwise, IsSilentWhereLaunchesAndNotBytesCostTime) {
  for (const char* file :
       {"h200/launch_bound.json.gz", "h200/sync_bound.json.gz", "h200/transformer_healthy.json.gz",
        "h200/healthy_inference_large_batch.json.gz"}) {
    const auto recording = rooflab::testing::analysed(rooflab::testing::test_data(file));
    ASSERT_TRUE(recording != nullptr);
    EXPECT_TRUE(silent(kId, recording->analysis)) << file;
  }
}

}  // namespace
}  // namespace rooflab::rules
