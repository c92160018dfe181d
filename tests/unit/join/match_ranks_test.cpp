// SPDX-License-Identifier: Apache-2.0
#include "join/match_ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/job.h"
#include "support/profiles.h"

namespace rooflab::join {
namespace {

using rooflab::testing::import_or_fail;
using rooflab::testing::JobSpec;
using rooflab::testing::rank_of;
using rooflab::testing::test_data;
using ::testing::HasSubstr;

// Profiles are moved, and initialiser lists copy.
template <class... P>
std::vector<model::Profile> all_of(P... profiles) {
  std::vector<model::Profile> out;
  (out.push_back(std::move(profiles)), ...);
  return out;
}

Result<model::Job> match(const std::vector<model::Profile>& profiles) {
  std::vector<const model::Profile*> pointers;
  for (const model::Profile& p : profiles) pointers.push_back(&p);
  std::vector<std::size_t> order;
  return match_ranks(pointers, order);
}

std::string refusal(const std::vector<model::Profile>& profiles) {
  const auto job = match(profiles);
  if (job) {
    ADD_FAILURE() << "not refused";
    return {};
  }
  EXPECT_EQ(job.error().code, ErrorCode::kInconclusive);
  return job.error().message;
}

std::vector<model::Profile> two(const JobSpec& spec) {
  std::vector<model::Profile> out;
  for (std::int64_t rank = 0; rank < 2; ++rank) out.push_back(rank_of(spec, rank));
  return out;
}

TEST(MatchRanks, FindsWhoArrivesLastWhateverTheClocksSay) {
  JobSpec spec;
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{5'000'000}, std::int64_t{-7}}) {
    spec.clock_ns = {0, offset};
    const auto job = match(two(spec));
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->ranks[1].clock_offset_ns, offset);
    EXPECT_EQ(job->ranks[1].clock_residual_ns, 0);
    ASSERT_EQ(job->collectives.size(), 6U);
    for (const model::JobCollective& c : job->collectives) {
      EXPECT_EQ(c.last, 1U);
      EXPECT_EQ(c.wait_ns(0), 4'000'000);
      EXPECT_EQ(c.wait_ns(1), 0);
      EXPECT_EQ(c.transfer_ns, rooflab::testing::kTransferNs);
    }
  }
}

TEST(MatchRanks, PutsRanksInOrder) {
  const JobSpec spec;
  const model::Profile zero = rank_of(spec, 0);
  const model::Profile one = rank_of(spec, 1);
  std::vector<std::size_t> order;
  const auto job = match_ranks({&one, &zero}, order);
  ASSERT_TRUE(job);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(job->ranks[1].input, "job.rank1.json");
}

TEST(MatchRanks, RecordingsThatBeganApartMeetWhereTheirEndsAgree) {
  JobSpec spec;
  spec.steps = 12;
  spec.jitter_ns = 900'000;
  std::vector<model::Profile> ranks;
  ranks.push_back(rank_of(spec, 0));
  spec.first_step = 3;
  ranks.push_back(rank_of(spec, 1));
  const auto job = match(ranks);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->collectives.size(), 9U);
  EXPECT_EQ(job->ranks[0].unmatched, 3U);
  EXPECT_EQ(job->collectives[0].last, 1U);
  EXPECT_EQ(job->collectives[0].wait_ns(0), 4'000'000);
}

TEST(MatchRanks, RefusesOtherJobs) {
  const JobSpec spec;
  JobSpec larger = spec;
  larger.elements = 8192;
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0), rank_of(larger, 1))),
              HasSubstr("allreduce of 4096 Float is allreduce of 8192 Float there"));
  JobSpec other = spec;
  other.name = "broadcast";
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0), rank_of(other, 1))), HasSubstr("is broadcast of"));
  EXPECT_THAT(refusal(all_of(rank_of(spec, 1), rank_of(spec, 1))), HasSubstr("different ranks"));
  JobSpec wider = spec;
  wider.world_size = 4;
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0), rank_of(wider, 1))), HasSubstr("world size"));
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0))), HasSubstr("different ranks"));
}

TEST(MatchRanks, AMissingRankLeavesNothingToMatch) {
  JobSpec spec;
  spec.late_ns = {0, 4'000'000, 0};
  spec.world_size = 3;
  spec.group_ranks = "[0, 1, 2]";
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0), rank_of(spec, 1))),
              HasSubstr("2 of 3 ranks are given"));
  // The group's ranks were cut in the record: then it takes all of the world.
  spec.group_ranks = "[0, 1, ...]";
  EXPECT_THAT(refusal(all_of(rank_of(spec, 0), rank_of(spec, 1))),
              HasSubstr("2 of 3 ranks are given"));
  const auto all = match(all_of(rank_of(spec, 0), rank_of(spec, 1), rank_of(spec, 2)));
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->collectives[0].wait_ns(2), 4'000'000);
}

TEST(MatchRanks, TwoRunsOfOneProgramAreNotOneJob) {
  std::vector<model::Profile> mixed;
  mixed.push_back(import_or_fail(test_data("h200/ddp/straggler.rank0.json.gz")));
  mixed.push_back(import_or_fail(test_data("h200/ddp/balanced.rank1.json.gz")));
  EXPECT_THAT(refusal(mixed), HasSubstr("these are two runs"));
}

TEST(MatchRanks, TheRecordedStragglerComesLast) {
  std::vector<model::Profile> ranks;
  for (const char* rank : {"0", "1"}) {
    ranks.push_back(
        import_or_fail(test_data("h200/ddp/straggler.rank" + std::string(rank) + ".json.gz")));
  }
  const auto job = match(ranks);
  ASSERT_TRUE(job) << job.error().message;
  ASSERT_EQ(job->collectives.size(), 25U);
  // By an independent count over the JSON: the clocks are 19.97 us apart, and the first collective
  // of each step waits 16.9 to 22.7 ms for rank 1. The files' zeros are 1 ms apart.
  EXPECT_NEAR(static_cast<double>(job->ranks[1].clock_offset_ns), 19'970, 2);
  EXPECT_EQ(job->ranks[1].time_offset_ns - job->ranks[1].clock_offset_ns,
            ranks[0].provenance.epoch_ns - ranks[1].provenance.epoch_ns);
  EXPECT_THAT(job->notes.back(), HasSubstr("clock of rank 1: 20.0 us ahead of rank 0's"));
  EXPECT_LT(job->ranks[1].clock_residual_ns, 10'000);
  for (std::size_t i = 0; i < 25; i += 5) EXPECT_EQ(job->collectives[i].last, 1U) << i;
  EXPECT_NEAR(static_cast<double>(job->collectives[0].wait_ns(0)), 16'881'900, 1000);
}

}  // namespace
}  // namespace rooflab::join
