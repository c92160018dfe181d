// SPDX-License-Identifier: Apache-2.0
// `rooflab cost`: the money of a recording whose busy share and gain are known.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;

SchemaJson cost(const std::string& name, const std::string& more) {
  const Outcome run = rooflab("cost " + recording(name) + " --json --gpu-hour 2.5 " + more);
  EXPECT_EQ(run.status, 0) << run.err << run.out;
  SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("cost")), "") << name << " " << more;
  return json.is_object() && json.contains("data") ? json["data"] : SchemaJson::object();
}

TEST(Cost, OfAStarvedLoader) {
  const SchemaJson data = cost("loader_starved", "--gpus 8 --hours 100");
  EXPECT_DOUBLE_EQ(data["spent"].get<double>(), 2000);
  const double busy = data["gpu_busy_ratio"].get<double>();
  EXPECT_LT(busy, 0.01);
  EXPECT_NEAR(data["idle"].get<double>(), 2000 * (1 - busy), 1e-6);
  ASSERT_EQ(data["savings"].size(), 1U);
  const SchemaJson& row = data["savings"][0];
  EXPECT_EQ(row["rule"], "input_starved");
  const double gain = row["gain"]["likely"].get<double>();
  EXPECT_NEAR(row["likely"].get<double>(), 2000 * (1 - 1 / gain), 1e-6);
  EXPECT_TRUE(row["distinguishable"].get<bool>());
}

TEST(Cost, HealthyRunsHaveNothingSureToSave) {
  for (const auto& row : cost("overlap_copy_compute", "")["savings"]) {
    EXPECT_LT(row["high"].get<double>(), 2.5 * 0.15);
  }
}

TEST(Cost, SaysWhatAnImprovementIsWorth) {
  const SchemaJson data = cost("loader_starved", "--hours 40000 --improve +20%rel");
  EXPECT_NEAR(data["asked"]["saving"].get<double>(), 16'667, 0.5);
}

TEST(Cost, RefusesABarePercentageAndAMissingPrice) {
  const std::string file = recording("loader_starved");
  const Outcome bare = rooflab("cost " + file + " --gpu-hour 2.5 --improve 20%");
  EXPECT_EQ(bare.status, 2);
  EXPECT_THAT(bare.err, HasSubstr("relative, points, or time?"));
  EXPECT_EQ(rooflab("cost " + file).status, 2);
  EXPECT_EQ(rooflab("cost " + file + " --gpu-hour -1").status, 2);
}

TEST(Cost, SaysWhetherASavingIsPaidOut) {
  const std::string call = "cost " + recording("loader_starved") + " --gpu-hour 2.5 ";
  EXPECT_THAT(rooflab(call).out, HasSubstr("cash"));
  EXPECT_THAT(rooflab(call + "--billing reserved").out, HasSubstr("capacity"));
}

}  // namespace
}  // namespace rooflab::testing
