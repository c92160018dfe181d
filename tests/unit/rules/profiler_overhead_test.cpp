// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "profiler_overhead";

TEST(ProfilerOverhead, FiresOnIdleInsideTheRecorder) {
  HandMade h;
  h.own("idle.profiler", 5).own("compute.gemm", 95);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.05);
}

TEST(ProfilerOverhead, FiresOnFramesOnlyWhereTheHostLimits) {
  HandMade limited;
  limited.own("idle.in_call", 30).because("f").own("compute.gemm", 70);
  limited.profile().spans.kind[0] = model::SpanKind::kPython;
  const auto finding = fired(kId, limited.analysis());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->confidence, Confidence::kLow);
  EXPECT_EQ(finding->ratio.value, 0);  // what frames cost is not known
  EXPECT_THAT(finding->title, HasSubstr("not known"));
  HandMade busy;
  busy.own("idle.in_call", 5).because("f").own("compute.gemm", 95);
  busy.profile().spans.kind[0] = model::SpanKind::kPython;
  EXPECT_TRUE(silent(kId, busy.analysis()));
}

TEST(ProfilerOverhead, NoFixTurnsShapesOff) {
  HandMade h;
  h.own("idle.profiler", 5).own("compute.gemm", 95);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  for (const Fix& fix : finding->fixes) {
    EXPECT_EQ(fix.text.find("record_shapes=False"), std::string::npos) << fix.text;
  }
}

TEST(ProfilerOverhead, IsSilentWithoutEither) {
  HandMade h;
  h.own("idle.profiler", 1).own("compute.gemm", 99);
  EXPECT_TRUE(silent(kId, h.analysis()));
}

TEST(ProfilerOverhead, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

}  // namespace
}  // namespace rooflab::rules
