// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_runs.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using ::testing::HasSubstr;

using rooflab::testing::analysed_profile;
using rooflab::testing::small_kernels_in_a_row;
using rooflab::testing::SmallKernels;

constexpr const char* kId = "stream_serialised";

std::optional<Finding> finding_for(const SmallKernels& spec) {
  const auto made = analysed_profile(small_kernels_in_a_row(spec));
  return made == nullptr ? std::nullopt : fired(kId, made->analysis);
}

TEST(StreamSerialised, FiresAndSaysWhatItAssumes) {
  const auto finding = finding_for({});
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.9);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("8 launches of 10 blocks each, 50.0 us on"));
  EXPECT_EQ(finding->evidence[1].value, 10);  // 100 multiprocessors
  EXPECT_THAT(finding->evidence[2].text, HasSubstr("assumed: none of them uses another's result"));
  EXPECT_EQ(finding->confidence, Confidence::kLow);
  EXPECT_TRUE(proposes(*finding, {{"concurrent-streams", {}}}));
}

TEST(StreamSerialised, IsSilentOnLargeShortSpacedOrAlreadyConcurrentKernels) {
  EXPECT_TRUE(finding_for({.blocks = 50}));
  EXPECT_FALSE(finding_for({.blocks = 51}));
  EXPECT_FALSE(finding_for({.duration = 19'000}));
  EXPECT_FALSE(finding_for({.gap = 11'000}));
  EXPECT_FALSE(finding_for({.gap = -20'000}));
  EXPECT_FALSE(finding_for({.two_streams = true}));
  EXPECT_FALSE(finding_for({.one_call = true}));  // the parts of one call depend on each other
}

TEST(StreamSerialised, NeedsTheDevicesSizeAndGeometry) {
  model::Profile p = small_kernels_in_a_row({});
  p.devices[0].multiprocessors = -1;
  const auto made = analysed_profile(std::move(p));
  ASSERT_NE(made, nullptr);
  EXPECT_THAT(needs(kId, made->analysis), HasSubstr("multiprocessors"));
}

TEST(StreamSerialised, IsSilentOnRecordingsThatFillTheDevice) {
  expect_silent_on(kId, {"transformer_healthy", "healthy_gemm_chain", "gemm_misaligned", "aa/a1",
                         "healthy_inference_large_batch", "overlap_copy_compute"});
}

TEST(StreamSerialised, FiresOnARecordedProgram) {
  const auto recording = h200("blind/stream_serialised.before");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->evidence[1].value, 16);  // of eight blocks each beside each other
  EXPECT_TRUE(proposes(*finding, {{"concurrent-streams", {}}}));
}

}  // namespace
}  // namespace rooflab::rules
