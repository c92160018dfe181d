// SPDX-License-Identifier: Apache-2.0
// `rooflab whatif` and the gains that `why` shows, on recordings with known answers.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SchemaJson whatif(const std::string& name, const std::string& more, int status = 0) {
  const Outcome run = rooflab("whatif " + recording(name) + " --json " + more);
  EXPECT_EQ(run.status, status) << name << " " << more << ": " << run.err << run.out;
  SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("whatif")), "") << name << " " << more;
  return json.is_object() && json.contains("data") ? json["data"] : SchemaJson::object();
}

double share(const SchemaJson& owners, const std::string& branch) {
  double sum = 0;
  for (const auto& row : owners) {
    if (row["owner"].get<std::string>().rfind(branch, 0) == 0) sum += row["ratio"].get<double>();
  }
  return sum;
}

// Launched one by one 2.9 ms a step without a recorder, as one graph 0.26 ms: 10.9-11.2x
// (truth.json, both runs).
TEST(WhatIf, GraphsOfTheLaunchBoundLoop) {
  const SchemaJson data = whatif("launch_bound", "--change graph-launches");
  const SchemaJson& result = data["result"];
  EXPECT_TRUE(data["reproduction"]["suitable"]);
  EXPECT_LT(data["reproduction"]["error_ratio"].get<double>(), 0.02);
  EXPECT_GT(data["reproduction"]["host_recorded_ratio"].get<double>(), 0.5);
  EXPECT_GT(result["gain"]["likely"].get<double>(), 8.2);
  EXPECT_LT(result["gain"]["likely"].get<double>(), 14);
  EXPECT_GE(result["gain"]["high"].get<double>(), 10.9);
  EXPECT_LE(result["gain"]["low"].get<double>(), result["gain"]["likely"].get<double>());
  EXPECT_LE(result["gain"]["likely"].get<double>(), result["gain"]["high"].get<double>());
  const double before = result["step_before"]["likely_ns"].get<double>();
  const double after = result["step_after"]["likely_ns"].get<double>();
  EXPECT_LE(before, result["step_recorded_ns"].get<double>() * 1.02);
  EXPECT_NEAR(before / after, result["gain"]["likely"].get<double>(), 1e-6);
  EXPECT_LE(result["step_after"]["low_ns"].get<double>(), after);
  EXPECT_LE(after, result["step_after"]["high_ns"].get<double>());
  EXPECT_GT(share(result["owners_after"], "compute"), share(result["owners_before"], "compute"));
  EXPECT_NEAR(share(result["owners_after"], ""), 1, 1e-9);
  EXPECT_NE(result["next_limit"]["limit"], "launch");
}

TEST(WhatIf, ChangesCompose) {
  const auto gain = [](const std::string& changes) {
    return whatif("large_pageable_copy", changes)["result"]["gain"]["likely"].get<double>();
  };
  const double pinned = gain("--change pin-copies");
  const double both = gain("--change pin-copies --change overlap-copies");
  EXPECT_GT(pinned, 1.5);
  EXPECT_GT(both, pinned);
  EXPECT_EQ(whatif("large_pageable_copy",
                   "--change pin-copies --change overlap-copies")["result"]["changes"]
                .size(),
            2U);
}

TEST(WhatIf, ABoundIsSaidToBeOne) {
  const SchemaJson result = whatif("loader_starved", "--change feed-loader")["result"];
  EXPECT_TRUE(result["gain"]["bound"]);
  EXPECT_TRUE(result["gain"]["likely"].is_null());
  EXPECT_TRUE(result["step_after"]["high_ns"].is_null());
  EXPECT_EQ(share(result["owners_after"], "idle.starved.input"), 0);
  const Outcome text = rooflab("whatif " + recording("loader_starved") + " --change feed-loader");
  EXPECT_THAT(text.out, HasSubstr("gain at most"));
  EXPECT_THAT(text.out, HasSubstr("at least"));
}

TEST(WhatIf, AChangeWithNothingToChangeSaysSo) {
  const Outcome run = rooflab("whatif " + recording("launch_bound") + " --change pin-copies");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("nothing in this file to change"));
}

TEST(WhatIf, WithoutAChangeTheBestComesFirst) {
  const SchemaJson offers = whatif("launch_bound", "")["offers"];
  ASSERT_FALSE(offers["worthwhile"].empty());
  EXPECT_EQ(offers["worthwhile"][0]["name"], "graph-launches");
  for (const auto& offer : offers["worthwhile"]) {
    EXPECT_GE(offer["gain"]["high"].get<double>(), 1.02) << offer.dump();
  }
  const SchemaJson starved = whatif("loader_starved", "")["offers"]["worthwhile"];
  EXPECT_TRUE(std::any_of(starved.begin(), starved.end(),
                          [](const auto& o) { return o["name"] == "loader-workers"; }));
}

TEST(WhatIf, EveryFormFitsThePage) {
  for (const char* change : {"", " --change graph-launches", " --change 'loader-workers 8'",
                             " --change remove-sync --change pin-copies"}) {
    for (const char* name : {"loader_starved", "launch_bound", "large_pageable_copy",
                             "ddp/straggler.rank0", "transformer_healthy"}) {
      const std::string line = "whatif " + recording(name) + change;
      const Outcome text = rooflab(line);
      EXPECT_EQ(text.status, 0) << line << text.err;
      EXPECT_LE(widest_line(text.out), 80) << text.out;
      EXPECT_LE(widest_line(rooflab(line + " -v").out), 80) << text.out;
    }
    const std::string line = "whatif " + recording("loader_starved") + change;
    EXPECT_THAT(rooflab(line + " --format csv").out, HasSubstr(","));
    EXPECT_THAT(rooflab(line + " --format md").out, HasSubstr("| ---"));
  }
}

TEST(WhatIf, WrongChangesAreUsageErrors) {
  const std::string file = recording("launch_bound");
  const Outcome unknown = rooflab("whatif " + file + " --change grahp-launches");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean graph-launches?"));
  EXPECT_EQ(rooflab("whatif " + file + " --change 'graph-launches 3'").status, 2);
  EXPECT_EQ(rooflab("whatif " + file + " --change loader-workers").status, 2);
  EXPECT_EQ(rooflab("whatif " + file + " --change 'loader-workers many'").status, 2);
  EXPECT_EQ(rooflab("whatif " + file + " --change ''").status, 2);
}

TEST(WhatIf, HelpListsTheChanges) {
  const Outcome help = rooflab("whatif --help");
  EXPECT_EQ(help.status, 0);
  for (const char* name : {"graph-launches", "loader-workers N", "remove-sync [NAME]"}) {
    EXPECT_THAT(help.out, HasSubstr(name));
  }
}

TEST(WhatIf, AsRecordedLeavesTheRecordersCostIn) {
  const SchemaJson plain = whatif("launch_bound", "--change graph-launches");
  const SchemaJson recorded = whatif("launch_bound", "--as-recorded --change graph-launches");
  EXPECT_FALSE(plain["deflation"].is_null());
  EXPECT_TRUE(recorded["deflation"].is_null());
  EXPECT_GT(recorded["result"]["step_before"]["likely_ns"].get<double>(),
            plain["result"]["step_before"]["likely_ns"].get<double>());
}

TEST(WhatIf, AFileWithoutDeviceWorkIsUnsuitable) {
  const Folder folder;
  const std::string file = folder.write(
      "host.json",
      R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":5}]})");
  const Outcome run = rooflab("whatif " + quoted(file) + " --change graph-launches --json");
  EXPECT_EQ(run.status, 5) << run.out << run.err;
  const SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("whatif")), "");
  EXPECT_TRUE(json["data"]["result"].is_null());
  EXPECT_FALSE(json["data"]["reproduction"]["suitable"]);
  EXPECT_THAT(rooflab("whatif " + quoted(file)).out, HasSubstr("not predicted: no device step"));
}

TEST(WhyGains, FindingsAndTheVerdictShowThem) {
  const Outcome text = rooflab("why " + recording("launch_bound"));
  EXPECT_THAT(text.out, HasSubstr("gain: "));
  EXPECT_THAT(text.out, HasSubstr("confidence "));
  EXPECT_THAT(text.out, HasSubstr("the recorded step is reproduced to"));
  const SchemaJson data = parsed(rooflab("why --json " + recording("launch_bound")).out)["data"];
  EXPECT_TRUE(data["reproduction"]["suitable"]);
  EXPECT_EQ(data["deflation"]["mode"], "host_device_shapes");
  EXPECT_GT(data["verdict"]["gain"]["likely"].get<double>(), 2);
  for (const auto& finding : data["findings"]) {
    EXPECT_TRUE(finding["gain"].is_null() || !finding["change"].empty()) << finding.dump();
  }
  const Outcome md = rooflab("why --format md " + recording("launch_bound"));
  EXPECT_THAT(md.out, HasSubstr("- gain: "));
}

TEST(WhyGains, AsRecordedTurnsDeflationOff) {
  const SchemaJson data =
      parsed(rooflab("why --json --as-recorded " + recording("launch_bound")).out)["data"];
  EXPECT_TRUE(data["deflation"].is_null());
}

TEST(Critical, RowsAddUpToOne) {
  const SchemaJson json =
      parsed(rooflab("top --by critical --limit 0 --json " + recording("sync_bound")).out);
  EXPECT_EQ(schema_fault(json, schema("top")), "");
  double sum = 0;
  for (const auto& row : json["data"]["rows"]) sum += row["ratio"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(Explain, TheChangesAndTheWordsOfGains) {
  for (const char* word : {"graph-launches", "loader-workers", "gain", "deflation", "likely", "low",
                           "high", "confidence", "critical", "reproduction"}) {
    EXPECT_EQ(rooflab(std::string("explain ") + word).status, 0) << word;
  }
  EXPECT_THAT(rooflab("explain graph-launches").out, HasSubstr("whatif FILE --change"));
}

// Every shared recording, whatever it is: JSON as described, and a page of 80 columns.
TEST(WhySlow, EveryCaseFollowsTheSchema) {
  const std::string root = case_path("public");
  if (root.empty() || root == "public" || !std::filesystem::exists(root)) {
    GTEST_SKIP() << "ROOFLAB_CASES is not set";
  }
  const SchemaJson expected = schema("why");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    const bool trace = path.ends_with(".json") || path.ends_with(".json.gz");
    if (!entry.is_regular_file() || !trace) continue;
    const Outcome run = rooflab("why --json " + quoted(path));
    if (run.status != 0 && run.status != 5) continue;
    const SchemaJson json = parsed(run.out);
    if (!json.contains("data")) continue;
    EXPECT_EQ(schema_fault(json, expected), "") << path;
  }
}

}  // namespace
}  // namespace rooflab::testing
