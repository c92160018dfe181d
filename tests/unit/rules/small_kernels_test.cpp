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

constexpr const char* kId = "small_kernels";

HandMade launch_bound() {
  HandMade h;
  h.own("idle.in_call", 30)
      .own("idle.dispatch", 10)
      .own("idle.starved.framework", 40)
      .own("compute.elementwise", 20);
  h.kernel("add", analysis::KernelClass::kElementwise, 1000, Nanos(2'000'000));
  h.analysis().metrics.total.run_ahead_median = Nanos(3000);
  h.analysis().metrics.total.launch_call_median = Nanos(5000);
  return h;
}

TEST(SmallKernels, FiresWhenLaunchesCostMoreThanKernels) {
  HandMade h = launch_bound();
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.8);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("1,000 of 1,000 kernels"));
}

TEST(SmallKernels, CallsThatWaitComeBeforeAnyCapture) {
  const auto waits =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/sync_bound.json.gz"));
  const auto free =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/launch_bound.json.gz"));
  ASSERT_TRUE(waits != nullptr && free != nullptr);
  const auto first = fired(kId, waits->analysis);
  const auto plain = fired(kId, free->analysis);
  ASSERT_TRUE(first && plain);
  EXPECT_THAT(first->evidence[1].text,
              HasSubstr("280 calls among 840 launches wait for the device, most in aten::item"));
  EXPECT_THAT(first->fixes[0].text, HasSubstr("first take the waits out"));
  EXPECT_THAT(plain->fixes[0].text, HasSubstr("torch.compile"));
}

TEST(SmallKernels, IsSilentWhenTheHostRunsAhead) {
  HandMade h = launch_bound();
  h.analysis().metrics.total.run_ahead_median = Nanos(20'000);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(SmallKernels, IsSilentForLongKernels) {
  HandMade h = launch_bound();
  h.kernel("gemm", analysis::KernelClass::kGemm, 2000, Nanos(200'000'000));
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(SmallKernels, IsSilentWhenTheGapsHaveAnotherOwner) {
  HandMade h;
  h.own("idle.starved.input:load", 90).own("idle.in_call", 5).own("compute.elementwise", 5);
  h.kernel("add", analysis::KernelClass::kElementwise, 1000, Nanos(2'000'000));
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(SmallKernels, NeedsLaunchRecords) {
  HandMade h = launch_bound();
  h.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("launch records"));
}

TEST(SmallKernels, FiresOnTheLaunchBoundRecordingAndNotOnTheGraphedOne) {
  const auto eager =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/launch_bound.json.gz"));
  const auto graphed =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/launch_bound_graphed.json.gz"));
  const auto input =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/loader_starved.json.gz"));
  ASSERT_TRUE(eager != nullptr && graphed != nullptr && input != nullptr);
  const auto finding = fired(kId, eager->analysis);
  ASSERT_TRUE(finding);
  EXPECT_TRUE(proposes(*finding, {{"graph-launches", {}}}));
  EXPECT_GT(finding->ratio.value, 0.5);
  EXPECT_TRUE(silent(kId, input->analysis));
}

}  // namespace
}  // namespace rooflab::rules
