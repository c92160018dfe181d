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

constexpr const char* kId = "legacy_kernel_path";

HandMade old(std::int64_t ms) {
  HandMade h = with_shapes();
  h.on(rooflab::testing::test_device());
  const model::WorkId work = h.launch("volta_h884gemm", 0, ms * 1'000'000);
  h.analysis().faults.old_path.push_back({work, rooflab::testing::about(2e6), true, true, 70});
  return h;
}

TEST(LegacyKernelPath, FiresWithTheGeneration) {
  HandMade h = old(20);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->title, HasSubstr("capability 7.0"));
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.2);
}

TEST(LegacyKernelPath, IsSilentBelowItsShare) {
  HandMade h = old(9);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(LegacyKernelPath, LeavesVectorAndUnalignedProductsToTheirRules) {
  for (const char* file : {"h200/pairs/tf32_allowed.before.json.gz", "h200/gemm_misaligned.json.gz",
                           "h200/gemm_aligned.json.gz"}) {
    const auto recording = rooflab::testing::analysed(rooflab::testing::test_data(file));
    ASSERT_TRUE(recording != nullptr);
    EXPECT_TRUE(silent(kId, recording->analysis)) << file;
  }
}

TEST(LegacyKernelPath, NeedsAKnownDevice) {
  HandMade h = old(20);
  h.analysis().kernels.device_name.clear();
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("peaks are known"));
}

}  // namespace
}  // namespace rooflab::rules
