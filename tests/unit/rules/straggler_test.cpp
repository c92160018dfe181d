// SPDX-License-Identifier: Apache-2.0
// Recordings are in tests/unit/cli/ranks_test.cpp: joining files is not this room's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/rank_comparison.h"
#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "straggler";

// Two ranks of ten steps of 10 ms; rank 1 comes last in `steps_last` of them, and rank 0 waits
// `wait_ns` a step for it.
struct Job {
  HandMade first, second;
  model::Job job;
  analysis::RankComparison ranks;

  Job(std::size_t steps_last, double wait_ns) {
    for (HandMade* h : {&first, &second}) {
      h->own("comm.exposed.wait", 60).own("compute.gemm", 40);
      h->profile().rank.world_size = 2;
    }
    job.ranks.resize(2);
    job.ranks[1].rank = 1;
    ranks.analyses = {&first.analysis(), &second.analysis()};
    ranks.ranks.resize(2);
    ranks.steps = 10;
    ranks.last = 1;
    ranks.ranks[0].steps_last = 10 - steps_last;
    ranks.ranks[0].waited_ns = wait_ns;
    ranks.ranks[1].steps_last = steps_last;
    ranks.ranks[1].caused_ns = wait_ns;
    ranks.excess = {{analysis::HostClass::kRange, "shuffle", 7e6, 1e6}};
    for (HandMade* h : {&first, &second}) {
      h->analysis().job = &job;
      h->analysis().ranks = &ranks;
    }
  }
};

TEST(Straggler, NamesTheRankThatComesLastAndWhatItDoesLonger) {
  Job j(10, 6e6);
  for (HandMade* h : {&j.first, &j.second}) {  // whichever rank is asked
    const auto finding = fired(kId, h->analysis());
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("rank 1 is late"));
    EXPECT_EQ(finding->where, "shuffle");
    EXPECT_DOUBLE_EQ(finding->ratio.value, 0.6);
    EXPECT_THAT(finding->evidence[0].text, HasSubstr("last in 10 of 10 steps"));
    EXPECT_THAT(finding->evidence[1].text, HasSubstr("shuffle: 7.00 ms a step on rank 1"));
    EXPECT_EQ(finding->remedy, (std::vector<graph::ChangeCall>{{"balance-ranks", {}}}));
  }
}

TEST(Straggler, ADeviceThatIsSlowIsSaidToBe) {
  Job j(10, 6e6);
  j.ranks.device_own_ns = 9e6;
  j.ranks.device_typical_ns = 2e6;
  const auto finding = fired(kId, j.first.analysis());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->where, "its device work");
}

TEST(Straggler, LateInTurnIsNoStraggler) {
  EXPECT_TRUE(silent(kId, Job(7, 6e6).first.analysis()));
  EXPECT_TRUE(fired(kId, Job(8, 6e6).first.analysis()));
}

TEST(Straggler, AShortWaitIsNone) {
  EXPECT_TRUE(silent(kId, Job(10, 4e5).first.analysis()));
  EXPECT_TRUE(fired(kId, Job(10, 6e5).first.analysis()));
}

TEST(Straggler, WhatRecordingMayHaveCostIsTakenOff) {
  Job j(10, 3e6);
  ASSERT_TRUE(fired(kId, j.first.analysis()));
  // 500 records of half a launch call of 10 us: 2.4 ms and more a step.
  j.second.profile().provenance.tool = "PyTorch profiler (Kineto)";
  j.second.profile().provenance.shapes_recorded = true;
  j.second.analysis().metrics.total.launch_call_median = Nanos(12'000);
  j.ranks.ranks[1].records = 500;
  EXPECT_TRUE(silent(kId, j.first.analysis()));
  // A slow device is slow without a recorder too.
  j.ranks.device_own_ns = 9e6;
  j.ranks.device_typical_ns = 2e6;
  EXPECT_TRUE(fired(kId, j.first.analysis()));
}

TEST(Straggler, NeedsTheOtherRanksFiles) {
  HandMade h;
  h.own("comm.exposed.unsplit", 60).own("compute.gemm", 40);
  EXPECT_TRUE(silent(kId, h.analysis()));  // not a rank of anything
  h.profile().rank.world_size = 2;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("files of all ranks"));
}

}  // namespace
}  // namespace rooflab::rules
