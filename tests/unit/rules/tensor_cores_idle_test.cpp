// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/hand_made_analysis.h"
#include "support/recording.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "tensor_cores_idle";

hw::DeviceEntry device(double vector, double matrix) {
  hw::DeviceEntry d;
  d.title = "Test GPU";
  d.peak_flops["fp32_vector"].value = vector;
  if (matrix > 0) d.peak_flops["tf32"].value = matrix;
  return d;
}

HandMade products(const char* name = "sgemm_128x64") {
  HandMade h;
  h.own("compute.gemm", 100);
  h.kernel(name, analysis::KernelClass::kGemm, 10, Nanos(90'000'000)).precision = "fp32_vector";
  h.on(device(60e12, 480e12));
  return h;
}

TEST(TensorCoresIdle, FiresOnVectorProducts) {
  HandMade h = products();
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.9);
  EXPECT_EQ(finding->where, "sgemm_128x64");
  EXPECT_THAT(finding->evidence.back().text, HasSubstr("up to 8x"));
}

TEST(TensorCoresIdle, IsSilentForMatrixUnitsDoublesMemoryBoundOnesAndSmallShares) {
  HandMade matrix = products();
  matrix.analysis().kernels.rows[0].tensor_path = true;
  EXPECT_TRUE(silent(kId, matrix.analysis()));
  HandMade doubles = products();
  doubles.analysis().kernels.rows[0].precision = "fp64_vector";
  EXPECT_TRUE(silent(kId, doubles.analysis()));
  HandMade memory = products();
  memory.analysis().kernels.rows[0].limit = analysis::Roof::kMemory;
  EXPECT_TRUE(silent(kId, memory.analysis()));
  HandMade small = products();
  small.analysis().kernels.rows[0].sum = Nanos(9'000'000);
  EXPECT_TRUE(silent(kId, small.analysis()));
}

TEST(TensorCoresIdle, IsSilentOnADeviceWithoutMuchFasterMatrixUnits) {
  HandMade h = products();
  h.on(device(60e12, 0));
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(TensorCoresIdle, NeedsAKnownDevice) {
  HandMade h;
  h.own("compute.gemm", 100);
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("peaks are known"));
}

TEST(TensorCoresIdle, TellsTheRecordedPairApart) {
  const auto before = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/pairs/tf32_allowed.before.json.gz"));
  const auto after = rooflab::testing::analysed(
      rooflab::testing::test_data("h200/pairs/tf32_allowed.after.json.gz"));
  ASSERT_TRUE(before != nullptr && after != nullptr);
  const auto finding = fired(kId, before->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.9);
  EXPECT_TRUE(silent(kId, after->analysis));
}

}  // namespace
}  // namespace rooflab::rules
