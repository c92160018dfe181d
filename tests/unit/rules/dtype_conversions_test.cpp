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

constexpr const char* kId = "dtype_conversions";

HandMade casts(bool round_trip, std::int64_t ms) {
  HandMade h = with_shapes();
  h.analysis().faults.casts.push_back({h.launch("bfloat16_copy", 0, ms * 1'000'000), round_trip});
  return h;
}

TEST(DtypeConversions, FiresAndCountsRoundTripsApart) {
  HandMade h = casts(true, 10);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.1);
  EXPECT_THAT(finding->title, HasSubstr("and back"));
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("1 of them (10.0 ms)"));
}

TEST(DtypeConversions, IsSilentBelowItsShareAndWithoutConversions) {
  HandMade h = casts(false, 4);
  EXPECT_TRUE(silent(kId, h.analysis()));
  const auto recording = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/healthy_inference_large_batch.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  EXPECT_TRUE(silent(kId, recording->analysis));
}

TEST(DtypeConversions, FindsThoseOfMixedPrecisionWithoutRoundTrips) {
  const auto recording =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/transformer_healthy.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_NEAR(finding->ratio.value, 0.065, 0.01);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("0 of them"));
}

TEST(DtypeConversions, NeedsShapes) {
  HandMade h = casts(true, 10);
  h.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("record_shapes"));
}

}  // namespace
}  // namespace rooflab::rules
