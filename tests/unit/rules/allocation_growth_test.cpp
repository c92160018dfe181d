// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "support/memory_events.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

using rooflab::testing::add_memory_total;

constexpr const char* kId = "allocation_growth";

// Steps of 10 ns, each with two totals in it, of which the last counts.
HandMade ending_with(const std::vector<std::int64_t>& totals) {
  HandMade h;
  h.own("compute.gemm", 10);
  std::int64_t at = 0;
  for (const std::int64_t total : totals) {
    analysis::Unit unit;
    unit.host_start = Nanos(at);
    unit.host_end = Nanos(at + 9);
    h.analysis().units.units.push_back(unit);
    add_memory_total(h.profile(), at + 2, 0, total + 5000, -1);
    add_memory_total(h.profile(), at + 8, 0, total, -1);
    at += 10;
  }
  h.analysis().window.unit_count = totals.size();
  return h;
}

TEST(AllocationGrowth, FiresWhereEveryStepKeepsMore) {
  HandMade h = ending_with({1000, 1100, 1200, 1300});
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "allocation_growth:0");
  EXPECT_EQ(finding->evidence[0].value, 100);
}

TEST(AllocationGrowth, PlateausFallsAndSmallGrowthAreNone) {
  EXPECT_TRUE(silent(kId, ending_with({1000, 1100, 1200, 1200}).analysis()));
  EXPECT_TRUE(silent(kId, ending_with({1000, 1100, 1050, 1300}).analysis()));
  EXPECT_TRUE(silent(kId, ending_with({1000, 1009, 1018, 1027}).analysis()));
}

TEST(AllocationGrowth, NeedsTotalsAndSteps) {
  HandMade none;
  none.own("compute.gemm", 10);
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("allocations"));
  EXPECT_THAT(needs(kId, ending_with({1, 2, 3}).analysis()), HasSubstr("at least 4 steps"));
}

TEST(AllocationGrowth, TheClassicLoaderRecordingsHaveNoTotals) {
  ROOFLAB_CASE(path, "public/tensorboard/resnet50_num_workers_0.json.gz");
  const auto recording = rooflab::testing::analysed(path);
  ASSERT_NE(recording, nullptr);
  EXPECT_THAT(needs(kId, recording->analysis), HasSubstr("totals"));
}

}  // namespace
}  // namespace rooflab::rules
