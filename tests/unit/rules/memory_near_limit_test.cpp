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

constexpr const char* kId = "memory_near_limit";

HandMade holding(std::int64_t reserved, std::int64_t size) {
  HandMade h;
  h.own("compute.gemm", 10);
  h.profile().devices[0].memory_bytes = size;
  add_memory_total(h.profile(), 0, 0, reserved / 2, reserved);
  return h;
}

TEST(MemoryNearLimit, FiresFromNineTenths) {
  HandMade h = holding(90'000'000'000, 100'000'000'000);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "memory_near_limit:0");
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("90.0 GB of 100 GB (90.0 %)"));
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("45.0 GB"));
  EXPECT_TRUE(silent(kId, holding(89'000'000'000, 100'000'000'000).analysis()));
}

TEST(MemoryNearLimit, NeedsTotalsAndTheDevicesSize) {
  HandMade none;
  none.own("compute.gemm", 10);
  EXPECT_THAT(needs(kId, none.analysis()), HasSubstr("allocations"));
  HandMade no_size = holding(90, -1);
  EXPECT_THAT(needs(kId, no_size.analysis()), HasSubstr("size of the device"));
  HandMade no_totals;
  add_memory_total(no_totals.profile(), 0, 0, -1, -1);
  EXPECT_THAT(needs(kId, no_totals.analysis()), HasSubstr("totals"));
}

TEST(MemoryNearLimit, IsSilentOnARecordingWithMemoryToSpare) {
  expect_silent_on(kId, {"transformer_healthy"});
}

}  // namespace
}  // namespace rooflab::rules
