// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "launch_bound";

// Long kernels, and a framework that takes as long again between them.
HandMade slow_host() {
  HandMade h;
  h.own("idle.starved.framework", 30).because("layer").own("idle.in_call", 10).because("launch");
  h.own("compute.gemm", 60);
  h.kernel("gemm", analysis::KernelClass::kGemm, 100, Nanos(60'000'000));
  h.analysis().metrics.total.run_ahead_median = Nanos(3000);
  return h;
}

TEST(LaunchBound, FiresOnLongKernelsBehindASlowHostAndNamesTheActivity) {
  HandMade h = slow_host();
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.4);
  EXPECT_EQ(finding->where, "layer");
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("400 us for each of 100 kernels"));
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("30.0 ms in 1 gap: layer [framework]"));
  EXPECT_TRUE(proposes(*finding, {{"graph-launches", {}}}));
  EXPECT_TRUE(silent("small_kernels", h.analysis()));
}

TEST(LaunchBound, LeavesShortKernelsToTheOtherRule) {
  HandMade h = slow_host();
  h.analysis().kernels.rows[0].median = Nanos(2000);
  EXPECT_TRUE(silent(kId, h.analysis()));
  EXPECT_TRUE(fired("small_kernels", h.analysis()));
}

TEST(LaunchBound, GapsInsideAGraphLaunchAreNoCostOfLaunching) {
  HandMade h;
  h.own("idle.graph", 30).own("idle.in_call", 5).own("compute.gemm", 65);
  h.kernel("gemm", analysis::KernelClass::kGemm, 100, Nanos(65'000'000));
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(LaunchBound, WaitsComeBeforeAnyCapture) {
  HandMade h = slow_host();
  analysis::BlockingCall call;
  call.call = h.profile().strings.intern("wait_for_device");
  call.count = 10;
  h.analysis().blocking.rows = {call};
  h.analysis().blocking.count = 10;
  h.analysis().blocking.launches = 100;
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("must go first"));
  EXPECT_TRUE(proposes(*finding, {{"remove-sync", {}}, {"graph-launches", {}}}));
}

TEST(LaunchBound, IsSilentBelowItsThreshold) {
  HandMade h;
  h.own("idle.starved.framework", 9).own("compute.gemm", 91);
  h.kernel("gemm", analysis::KernelClass::kGemm, 100, Nanos(91'000'000));
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(LaunchBound, GapsThatLinkCopiesEndAreNotItsOwn) {
  HandMade h = slow_host();
  model::WorkTable& work = h.profile().work;
  for (int i = 0; i < 3; ++i) {  // the works of the three stretches
    work.start.push_back(0);
    work.duration.push_back(0);
    work.name.emplace_back(0U);
    work.kind.push_back(model::WorkKind::kCopy);
    work.direction.push_back(model::CopyDirection::kHostToDevice);
  }
  EXPECT_TRUE(silent(kId, h.analysis()));
  for (auto& direction : work.direction) direction = model::CopyDirection::kDeviceToDevice;
  EXPECT_TRUE(fired(kId, h.analysis()));
}

TEST(LaunchBound, NeedsLaunchRecords) {
  HandMade h = slow_host();
  h.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("launch records"));
}

TEST(LaunchBound, FiresOnATrainingLoopThatTheHostLimitsAsRecorded) {
  const auto recording = h200("aa/a1");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_NEAR(finding->ratio.value, 0.29, 0.03);  // in_call + dispatch + framework, as `why` prints
  expect_silent_on(kId, {"gemm_aligned", "healthy_gemm_chain", "healthy_inference_large_batch",
                         "overlap_copy_compute", "launch_bound_graphed", "loader_starved",
                         "pairs/inference_graphed.after"});
}

TEST(LaunchBound, NeverBothOfTheTwoRules) {
  for (const char* name :
       {"launch_bound", "sync_bound", "aa/a1", "transformer_healthy", "ddp/balanced.rank0",
        "pairs/inference_graphed.before", "pairs/copies_coalesced.after", "dataloader_workers8"}) {
    const auto recording = h200(name);
    ASSERT_NE(recording, nullptr);
    EXPECT_FALSE(fired(kId, recording->analysis) && fired("small_kernels", recording->analysis))
        << name;
  }
}

}  // namespace
}  // namespace rooflab::rules
