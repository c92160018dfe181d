// SPDX-License-Identifier: Apache-2.0
// The two positions: kernels near the memory's and the compute roof.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/rules/fault_support.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using rooflab::testing::with_shapes;
using ::testing::HasSubstr;

HandMade kernel_at(analysis::Roof roof, std::int64_t roof_ms) {
  HandMade h = with_shapes();
  h.on(rooflab::testing::test_device());
  analysis::KernelRow& row =
      h.kernel("k", analysis::KernelClass::kElementwise, 10, Nanos(80'000'000));
  row.modelled = 10;
  row.modelled_sum = row.sum;
  row.roof_time = Nanos(roof_ms * 1'000'000);
  row.limit = roof;
  return h;
}

TEST(AtRoof, FiresForItsOwnRoofOnly) {
  HandMade memory = kernel_at(analysis::Roof::kMemory, 64);
  const auto finding = fired("memory_bound_at_roof", memory.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.8);
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("reach 80.0 % of the memory bandwidth"));
  EXPECT_TRUE(finding->remedy.empty());
  EXPECT_TRUE(silent("compute_bound_at_roof", memory.analysis()));
  HandMade compute = kernel_at(analysis::Roof::kCompute, 64);
  EXPECT_TRUE(fired("compute_bound_at_roof", compute.analysis()));
  EXPECT_TRUE(silent("memory_bound_at_roof", compute.analysis()));
}

TEST(AtRoof, IsSilentFarBelowTheRoof) {
  HandMade memory = kernel_at(analysis::Roof::kMemory, 55);
  EXPECT_TRUE(silent("memory_bound_at_roof", memory.analysis()));
  HandMade compute = kernel_at(analysis::Roof::kCompute, 47);
  EXPECT_TRUE(silent("compute_bound_at_roof", compute.analysis()));
}

TEST(AtRoof, IsSilentWhereSuchKernelsHoldLessThanHalf) {
  for (const auto& [rule, roof] : {std::pair{"memory_bound_at_roof", analysis::Roof::kMemory},
                                   std::pair{"compute_bound_at_roof", analysis::Roof::kCompute}}) {
    HandMade h = kernel_at(roof, 64);
    h.own("idle.starved.unknown", 59);  // 80 of 159 ms
    EXPECT_TRUE(fired(rule, h.analysis())) << rule;
    h.own("idle.starved.unknown", 2);  // 80 of 161 ms
    EXPECT_TRUE(silent(rule, h.analysis())) << rule;
  }
}

TEST(AtRoof, NeedsShapes) {
  HandMade h = kernel_at(analysis::Roof::kMemory, 64);
  h.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs("memory_bound_at_roof", h.analysis()), HasSubstr("record_shapes"));
  EXPECT_THAT(needs("compute_bound_at_roof", h.analysis()), HasSubstr("record_shapes"));
}

TEST(AtRoof, PlacesRecordings) {
  const auto chain =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/healthy_gemm_chain.json.gz"));
  const auto streams = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/elementwise_memory_bound.json.gz"));
  ASSERT_TRUE(chain != nullptr && streams != nullptr);
  EXPECT_TRUE(fired("compute_bound_at_roof", chain->analysis));
  EXPECT_TRUE(fired("memory_bound_at_roof", streams->analysis));
}

}  // namespace
}  // namespace rooflab::rules
