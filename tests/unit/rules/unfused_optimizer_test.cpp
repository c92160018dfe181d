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

constexpr const char* kId = "unfused_optimizer";

HandMade loop(double then_ms) {
  HandMade h = with_shapes();
  add_run(h, h.analysis().faults.optimizer, "mul", {5, 5, 5, 5}, then_ms);
  return h;
}

TEST(UnfusedOptimizer, FiresWithItsKernels) {
  HandMade h = loop(2);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.2);
  EXPECT_THAT(finding->title, HasSubstr("in 4 kernels a step"));
}

TEST(UnfusedOptimizer, IsSilentWhereOnePassTakesAsLong) {
  HandMade h = loop(18);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(UnfusedOptimizer, NeedsShapesAndLaunchRecords) {
  HandMade shapes = loop(2);
  shapes.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, shapes.analysis()), HasSubstr("record_shapes"));
  HandMade links = loop(2);
  links.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, links.analysis()), HasSubstr("launch records"));
}

TEST(UnfusedOptimizer, IsSilentOnFusedUpdates) {
  for (const char* file : {"h200/transformer_healthy.json.gz", "h200/aa/a1.json.gz"}) {
    const auto recording = rooflab::testing::analysed(rooflab::testing::test_data(file));
    ASSERT_TRUE(recording != nullptr);
    EXPECT_TRUE(silent(kId, recording->analysis)) << file;
  }
}

TEST(UnfusedOptimizer, FiresOnARecordedProgram) {
  const auto recording = h200("blind/optimizer_unfused.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_TRUE(proposes(*finding, {{"fused-optimizer", {}}}));
}

}  // namespace
}  // namespace rooflab::rules
