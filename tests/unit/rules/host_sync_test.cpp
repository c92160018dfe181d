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

constexpr const char* kId = "host_sync";

HandMade waiting(std::int64_t waits, std::int64_t launches, std::int64_t idle_ms) {
  HandMade h;
  h.own("idle.starved.sync", idle_ms).own("compute.gemm", 100 - idle_ms);
  analysis::BlockingCalls& b = h.analysis().blocking;
  analysis::BlockingCall call;
  call.call = h.profile().strings.intern("wait_for_device");
  call.activity = h.profile().strings.intern("read_back");
  call.count = b.count = waits;
  b.launches = launches;
  b.idle = Nanos(idle_ms * 1'000'000);
  b.rows = {call};
  return h;
}

TEST(HostSync, FiresAndNamesTheCallAndWhatIsAroundIt) {
  HandMade h = waiting(10, 40, 30);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.3);
  EXPECT_EQ(finding->where, "read_back > wait_for_device");
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("10 calls wait among 40 launches"));
}

TEST(HostSync, AWaitNowAndThenIsNoReason) {
  EXPECT_TRUE(silent(kId, waiting(2, 40, 30).analysis()));
  EXPECT_TRUE(fired(kId, waiting(3, 40, 30).analysis()));
  EXPECT_TRUE(silent(kId, waiting(10, 40, 4).analysis()));
  HandMade none;
  none.own("idle.in_call", 50).own("compute.gemm", 50);
  EXPECT_TRUE(silent(kId, none.analysis()));
}

TEST(HostSync, WaitsOfManyOperatorsGoTogether) {
  HandMade h = waiting(10, 40, 30);
  analysis::BlockingCall other = h.analysis().blocking.rows[0];
  other.activity = h.profile().strings.intern("print");
  h.analysis().blocking.rows.push_back(other);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_TRUE(proposes(*finding, {{"remove-sync", {}}}));
}

TEST(HostSync, WaitsOfSmallCopiesAreTheCopiesOwn) {
  const auto recording = h200("pairs/copies_coalesced.before");
  ASSERT_NE(recording, nullptr);
  EXPECT_GT(recording->analysis.blocking.count, 1000);
  EXPECT_TRUE(silent(kId, recording->analysis));
}

TEST(HostSync, NeedsLaunchRecords) {
  HandMade h = waiting(10, 40, 30);
  h.analysis().metrics.total.launched = 0;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("launch records"));
}

TEST(HostSync, FiresOnTheRecordingThatReadsBackAndNotOnOthers) {
  const auto on = [](const std::string& name) {
    return rooflab::testing::analysed(rooflab::testing::test_data("h200/" + name + ".json.gz"));
  };
  const auto sync = on("sync_bound");
  ASSERT_NE(sync, nullptr);
  const auto finding = fired(kId, sync->analysis);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->where, "aten::item > cudaStreamSynchronize");
  EXPECT_TRUE(proposes(*finding, {{"remove-sync", {"aten::item"}}}));
  // 7 steps of 40 read-backs; by an independent count over the JSON.
  EXPECT_EQ(sync->analysis.blocking.count, 280);
  EXPECT_EQ(sync->analysis.blocking.launches, 840);
  for (const char* name : {"launch_bound", "transformer_healthy", "loader_starved"}) {
    const auto other = on(name);
    ASSERT_NE(other, nullptr);
    EXPECT_TRUE(silent(kId, other->analysis)) << name;
  }
}

}  // namespace
}  // namespace rooflab::rules
