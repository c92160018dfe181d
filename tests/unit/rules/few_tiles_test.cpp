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

constexpr const char* kId = "few_tiles";

HandMade small_products(std::int64_t us) {
  HandMade h = with_shapes();
  analysis::KernelFaults& faults = h.analysis().faults;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const model::WorkId work = h.launch("gemm", i * 100'000, us * 1000);
    faults.few_tiles.push_back({work, 16, 128, true});
  }
  return h;
}

TEST(FewTiles, FiresAndSaysHowManyMultiprocessorsWork) {
  HandMade h = small_products(20);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_NEAR(finding->ratio.value, 0.2, 1e-9);
  EXPECT_THAT(finding->title,
              HasSubstr("16 blocks leave most of the device's 128 multiprocessors"));
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("12.5 % of the multiprocessors"));
  EXPECT_TRUE(finding->remedy.empty());
}

TEST(FewTiles, ProposesToBatchEqualProducts) {
  HandMade h = small_products(20);
  add_run(h, h.analysis().faults.batchable, "gemm", {10, 10, 10}, 5);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  ASSERT_EQ(finding->remedy.size(), 1U);
  EXPECT_EQ(finding->remedy[0].name, "fill-device");
}

TEST(FewTiles, LeavesShortProductsToTheLaunchRules) {
  HandMade h = small_products(9);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(FewTiles, NeedsShapes) {
  HandMade h = small_products(20);
  h.profile().provenance.shapes_recorded = false;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("record_shapes"));
}

TEST(FewTiles, IsSilentOnLargeProducts) {
  for (const char* file : {"h200/healthy_gemm_chain.json.gz", "h200/gemm_aligned.json.gz"}) {
    const auto recording = rooflab::testing::analysed(rooflab::testing::test_data(file));
    ASSERT_TRUE(recording != nullptr);
    EXPECT_TRUE(silent(kId, recording->analysis)) << file;
  }
}

TEST(FewTiles, CountsBlocksWithoutAKnownDevice) {
  ROOFLAB_CASE(path, "public/tracelens/unit/gemm_01_compute_few_tiles.json.gz");
  const auto recording = rooflab::testing::analysed(path);
  ASSERT_TRUE(recording != nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->title, HasSubstr("8 blocks"));
}

TEST(FewTiles, FiresOnARecordedProgram) {
  const auto recording = h200("blind/few_tiles.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->title, "products of 9 tiles are split to fill 132 multiprocessors");
  EXPECT_EQ(finding->evidence[1].value, 240);  // five steps of 48
  EXPECT_TRUE(proposes(*finding, {{"fill-device", {}}}));
}

}  // namespace
}  // namespace rooflab::rules
