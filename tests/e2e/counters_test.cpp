// SPDX-License-Identifier: Apache-2.0
// `rooflab why` on a file that holds counters alone: a verdict, a first finding a kernel, and a
// page that fits 80 columns.
#include <gmock/gmock.h>

#include <algorithm>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;

TEST(WhyCounters, EveryPageHasAVerdictAndAFirstFindingAKernel) {
  for (const char* page : {"ladder_raw.csv.gz", "ladder_details.csv.gz", "small.ncu-rep.gz"}) {
    const Outcome run =
        rooflab("why " + quoted(test_data(std::string("h200/ncu/") + page)) + " --json");
    ASSERT_EQ(run.status, 0) << run.err;
    const SchemaJson json = parsed(run.out);
    EXPECT_EQ(schema_fault(json, schema("why")), "") << page;
    const SchemaJson& data = json["data"];
    EXPECT_EQ(data["verdict"]["limit"], "memory");
    EXPECT_EQ(data["verdict"]["state"], "improvable");
    for (const SchemaJson& kernel : data["kernels"]) {
      ASSERT_FALSE(kernel["findings"].empty()) << kernel["name"];
      const bool bad = kernel["name"].get<std::string>().find("mm_naive_bad") == 0;
      EXPECT_TRUE(!bad || kernel["findings"][0] == "uncoalesced_access");
    }
  }
}

TEST(WhyCounters, ThePageFitsTheTerminal) {
  const Outcome run = rooflab("why " + quoted(test_data("h200/ncu/ladder_raw.csv.gz")));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LE(widest_line(run.out), 80);
  EXPECT_LE(std::count(run.out.begin(), run.out.end(), '\n'), 46);
  EXPECT_THAT(run.out, HasSubstr("mm_naive_bad"));
  EXPECT_THAT(run.out, HasSubstr("memory: l1 98.4 %        occ. 98.7 %"));
  EXPECT_THAT(run.out, HasSubstr("uncoalesced_access: let threadIdx.x run"));
}

}  // namespace
}  // namespace rooflab::testing
