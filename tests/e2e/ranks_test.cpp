// SPDX-License-Identifier: Apache-2.0
// `rooflab why` over the ranks of one job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ranks(const std::string& name) {
  return recording("ddp/" + name + ".rank0") + " " + recording("ddp/" + name + ".rank1");
}

TEST(WhyRanks, AreOneRunWithOneVerdict) {
  const Outcome run = rooflab("why " + ranks("straggler"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Rank 1 is late"));
  EXPECT_THAT(run.out, HasSubstr("slow_augment"));
  EXPECT_THAT(run.out, HasSubstr("comm.exposed.wait"));
  EXPECT_THAT(run.out, Not(HasSubstr("== ")));
  EXPECT_LE(widest_line(run.out), 80);
}

TEST(WhyRanks, JsonHasAllInputsAndTheAccountingOfEveryRank) {
  const Outcome run = rooflab("why --json " + ranks("straggler"));
  ASSERT_EQ(run.status, 0) << run.err;
  const SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("why")), "");
  EXPECT_EQ(json["inputs"].size(), 2U);
  const SchemaJson& data = json["data"];
  EXPECT_EQ(data["verdict"]["limit"], "straggler");
  EXPECT_EQ(data["verdict"]["class"], "straggler");
  ASSERT_EQ(data["accounting"].size(), 2U);
  for (const SchemaJson& device : data["accounting"]) {
    std::int64_t sum = 0;
    for (const SchemaJson& owner : device["owners"]) sum += owner["ns"].get<std::int64_t>();
    EXPECT_EQ(sum, device["total_ns"].get<std::int64_t>());
    EXPECT_EQ(device.dump().find("unsplit"), std::string::npos);
  }
  EXPECT_EQ(data["job"]["collectives"], 25);
  EXPECT_EQ(data["job"]["ranks"].size(), 2U);
  EXPECT_EQ(data["findings"][0]["rule"], "straggler");
}

TEST(WhyRanks, AFolderOfTwoJobsIsTwoAnswers) {
  const Outcome run = rooflab("why --json " + quoted(test_data("h200/ddp")));
  ASSERT_EQ(run.status, 5) << run.err;  // what recording cost leaves the balanced job undecided
  const SchemaJson json = parsed(run.out);
  EXPECT_EQ(json["inputs"].size(), 4U);
  ASSERT_EQ(json["data"]["files"].size(), 2U);
  EXPECT_NE(json["data"]["files"][0]["verdict"]["limit"], "straggler");
  EXPECT_EQ(json["data"]["files"][1]["verdict"]["limit"], "straggler");
}

TEST(WhyRanks, OthersAreAnsweredFileByFile) {
  const Outcome mixed = rooflab("why --json " + recording("ddp/straggler.rank0") + " " +
                                recording("ddp/balanced.rank1"));
  EXPECT_THAT(mixed.err, HasSubstr("these are two runs"));
  EXPECT_EQ(parsed(mixed.out)["data"]["files"].size(), 2U);
  const Outcome twice =
      rooflab("why --json " + recording("launch_bound") + " " + recording("sync_bound"));
  EXPECT_EQ(twice.err, "");
  EXPECT_EQ(parsed(twice.out)["data"]["files"].size(), 2U);
  const Outcome one = rooflab("why --json --rank 0 " + ranks("straggler"));
  EXPECT_EQ(parsed(one.out)["inputs"].size(), 1U);
}

}  // namespace
}  // namespace rooflab::testing
