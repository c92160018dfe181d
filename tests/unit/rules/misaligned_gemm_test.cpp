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

constexpr const char* kId = "misaligned_gemm";

HandMade slow(std::int64_t ms) {
  HandMade h = with_shapes();
  const model::WorkId work = h.launch("gemm_align1", 0, ms * 1'000'000);
  h.analysis().faults.misaligned.push_back({work, rooflab::testing::about(2e6), true, true, 75});
  return h;
}

TEST(MisalignedGemm, FiresWithItsShareAndTheSlowKernel) {
  HandMade h = slow(10);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.1);
  EXPECT_EQ(finding->where, "gemm_align1");
  ASSERT_EQ(finding->remedy.size(), 1U);
  EXPECT_EQ(finding->remedy[0].name, "align-gemm");
  EXPECT_FALSE(finding->gain);
}

TEST(MisalignedGemm, IsSilentBelowItsShareAndOutsideTheWindow) {
  HandMade small = slow(4);
  EXPECT_TRUE(silent(kId, small.analysis()));
  HandMade outside = slow(10);
  outside.profile().work.start[0] = 200'000'000;
  EXPECT_TRUE(silent(kId, outside.analysis()));
}

TEST(MisalignedGemm, NeedsShapes) {
  HandMade h = slow(10);
  h.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("record_shapes"));
}

TEST(MisalignedGemm, TellsTheRecordedProductsApart) {
  const auto before =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/gemm_misaligned.json.gz"));
  const auto after =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/gemm_aligned.json.gz"));
  ASSERT_TRUE(before != nullptr && after != nullptr);
  const auto finding = fired(kId, before->analysis);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->title, HasSubstr("K 4095, N 4093 are no multiple of 8"));
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("aten::mm [[4096,4095],[4095,4093]]"));
  EXPECT_THAT(finding->evidence.back().text, HasSubstr("capability 7.5 (the device has 9.0)"));
  EXPECT_TRUE(silent(kId, after->analysis));
}

TEST(MisalignedGemm, KnowsAnAmdKernelByItsName) {
  ROOFLAB_CASE(path, "public/tracelens/unit/gemm_03_compute_misaligned.json.gz");
  const auto recording = rooflab::testing::analysed(path);
  ASSERT_TRUE(recording != nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->title, HasSubstr("4097"));
}

}  // namespace
}  // namespace rooflab::rules
