// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/copies.h"
#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "copy_not_overlapped";

TEST(CopyNotOverlapped, FiresWhereComputationIsThere) {
  HandMade h;
  h.own("copy.exposed.h2d.pinned", 30).own("compute.gemm", 70);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.3);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("enough to hide 30.0 ms of them"));
  EXPECT_TRUE(proposes(*finding, {{"overlap-copies", {}}}));
}

TEST(CopyNotOverlapped, IsSilentBelowItsThresholdAndOnPageableCopies) {
  HandMade little;
  little.own("copy.exposed.h2d.pinned", 4).own("compute.gemm", 96);
  EXPECT_TRUE(silent(kId, little.analysis()));
  HandMade pageable;
  pageable.own("copy.exposed.h2d.pageable", 30).own("compute.gemm", 70);
  EXPECT_TRUE(silent(kId, pageable.analysis()));
}

TEST(CopyNotOverlapped, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

TEST(CopyNotOverlapped, IsSilentOnOverlappedAndLinkBoundRecordings) {
  expect_silent_on(kId, {"overlap_copy_compute", "large_pinned_copy", "transformer_healthy",
                         "healthy_inference_large_batch"});
}

TEST(CopyNotOverlapped, SaysOnWhichStreamTheCopiesRun) {
  // The recording whose copies are hidden, with its copies counted only.
  const auto recording = h200("overlap_copy_compute");
  ASSERT_NE(recording, nullptr);
  const ExposedCopies copies = exposed_copies(recording->analysis);
  EXPECT_EQ(copies.on_compute_stream, 0);
  EXPECT_EQ(copies.count, 3);
  EXPECT_GT(copies.hidden.value, 14'000'000);  // 19.8 ms in four copies, three in the window
  const auto alone = h200("large_pinned_copy");
  ASSERT_NE(alone, nullptr);
  EXPECT_EQ(exposed_copies(alone->analysis).on_compute_stream, 5);
}

}  // namespace
}  // namespace rooflab::rules
