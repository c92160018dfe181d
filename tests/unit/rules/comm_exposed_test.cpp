// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "comm_exposed";

TEST(CommExposed, FiresAndSaysWhatOneRankCannotTell) {
  HandMade h;
  h.own("comm.exposed.unsplit", 30).own("compute.gemm", 70);
  h.analysis().accounting.devices[0].hidden_comm = Nanos(10'000'000);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.3);
  EXPECT_EQ(finding->confidence, Confidence::kLow);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("10.0 ms (25.0 % of all communication)"));
  EXPECT_THAT(finding->evidence[2].text, HasSubstr("one rank's file"));
  EXPECT_TRUE(proposes(*finding, {{"overlap-comm", {}}}));
}

TEST(CommExposed, WaitingForALaterRankIsNotItsBusiness) {
  HandMade h;
  h.own("comm.exposed.wait", 50).own("comm.exposed.transfer", 9).own("compute.gemm", 41);
  EXPECT_TRUE(silent(kId, h.analysis()));
  HandMade transfer;
  transfer.own("comm.exposed.wait", 50).own("comm.exposed.transfer", 50);
  const auto finding = fired(kId, transfer.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.5);
  EXPECT_EQ(finding->confidence, Confidence::kProvisional);
}

TEST(CommExposed, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

TEST(CommExposed, FiresOnDataParallelRanksAndNamesTheCollective) {
  const auto recording = h200("ddp/straggler.rank0");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.8);
  EXPECT_THAT(finding->where, HasSubstr("AllReduce"));
  expect_silent_on(kId, {"ddp/straggler.rank1", "transformer_healthy", "healthy_gemm_chain"});
}

}  // namespace
}  // namespace rooflab::rules
