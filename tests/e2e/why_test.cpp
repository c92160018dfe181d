// SPDX-License-Identifier: Apache-2.0
// `rooflab why` on recordings with known answers: verdict, streams, widths, formats, filters.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

SchemaJson why(const std::string& name, const std::string& more = "") {
  const Outcome run = rooflab("why " + recording(name) + " --json " + more);
  EXPECT_TRUE(run.status == 0 || run.status == 5) << name << ": " << run.err;
  SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("why")), "") << name;
  return json.is_object() && json.contains("data") ? json["data"] : SchemaJson::object();
}

// The owners of a device add up to its window, to the nanosecond.
void expect_exact_sum(const SchemaJson& data) {
  for (const auto& device : data["accounting"]) {
    std::int64_t sum = 0;
    for (const auto& owner : device["owners"]) sum += owner["ns"].get<std::int64_t>();
    EXPECT_EQ(sum, device["total_ns"].get<std::int64_t>());
  }
}

TEST(Why, TheStarvedLoopSaysSoInItsFirstLine) {
  const Outcome run = rooflab("why " + recording("loader_starved"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(first_line(run.out), HasSubstr("load_batch"));
  EXPECT_THAT(run.out, HasSubstr("limit: input, gain 2"));
  EXPECT_THAT(run.out, HasSubstr("Is the GPU busy?"));
  EXPECT_THAT(run.out, HasSubstr("Where does the time go?"));
  EXPECT_THAT(run.out, HasSubstr("idle.starved.input:load_batch"));
  EXPECT_THAT(run.out, HasSubstr("fix (pytorch)"));
  EXPECT_EQ(run.err, "");
}

TEST(Why, TheScreenFitsEightyColumnsAndOnePage) {
  for (const char* name : {"loader_starved", "transformer_healthy", "launch_bound",
                           "large_pageable_copy", "sync_bound", "ddp/straggler.rank0",
                           "ddp/straggler.rank1", "dataloader_workers8", "launch_bound_graphed"}) {
    const Outcome run = rooflab("why " + recording(name));
    EXPECT_LE(widest_line(run.out), 80) << name << "\n" << run.out;
    EXPECT_LE(lines(run.out), 45) << name << "\n" << run.out;
    EXPECT_LE(widest_line(rooflab("why -v " + recording(name)).out), 80) << name;
  }
}

TEST(Why, WithoutUtf8ThePageIsAscii) {
  const Outcome run = rooflab("why " + recording("loader_starved"), "LANG=C");
  EXPECT_EQ(std::count_if(run.out.begin(), run.out.end(),
                          [](char c) { return static_cast<signed char>(c) < 0; }),
            0);
  EXPECT_THAT(run.out, HasSubstr("####"));
}

TEST(Why, ColourOnlyWhenAskedFor) {
  const std::string file = recording("gemm_aligned");
  EXPECT_THAT(rooflab("why " + file).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(rooflab("why " + file + " --color always").out, HasSubstr("\x1b["));
  EXPECT_THAT(rooflab("why " + file, "ROOFLAB_COLOR=always").out, HasSubstr("\x1b["));
  EXPECT_THAT(rooflab("why " + file + " --color never", "ROOFLAB_COLOR=always").out,
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(rooflab("why " + file + " --color always --json").out, Not(HasSubstr("\x1b[")));
}

// A pseudo-terminal, as script(1) makes one, is needed to see the automatic choice.
TEST(Why, NoColorSilencesATerminal) {
  if (std::system("command -v script >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "script(1) is not installed";
  const Folder folder;
  const auto on_terminal = [&](const std::string& environment) {
    const std::string command =
        "cd " + quoted(folder.path()) + " && env -i PATH=/usr/bin:/bin TERM=xterm LANG=C.UTF-8 " +
        environment + " script -qec " +
        quoted(quoted(ROOFLAB_BINARY) + " why " + recording("gemm_aligned")) +
        " /dev/null >out 2>&1 </dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return folder.read("out");
  };
  EXPECT_THAT(on_terminal(""), HasSubstr("\x1b[1m"));
  EXPECT_THAT(on_terminal("NO_COLOR=1"), Not(HasSubstr("\x1b[1m")));
}

TEST(Why, JsonFollowsItsSchemaAndTheAnswersAreRight) {
  const SchemaJson starved = why("loader_starved");
  EXPECT_EQ(starved["verdict"]["limit"], "input");
  EXPECT_EQ(starved["verdict"]["class"], "input_bound");
  EXPECT_EQ(starved["verdict"]["confidence"], "high");
  EXPECT_NEAR(starved["metrics"]["gpu_busy_ratio"].get<double>(), 0.006, 0.001);
  EXPECT_EQ(starved["accounting"][0]["owners"][0]["owner"], "idle.starved.input:load_batch");
  const SchemaJson healthy = why("transformer_healthy");
  EXPECT_NEAR(healthy["metrics"]["gpu_busy_ratio"].get<double>(), 0.882, 0.001);  // whole file
  EXPECT_NEAR(healthy["window"]["gpu_busy_ratio"].get<double>(), 0.844, 0.001);
  EXPECT_EQ(why("sync_bound")["findings"][1]["rule"], "host_sync");
  EXPECT_EQ(why("launch_bound")["verdict"]["limit"], "launch");
  EXPECT_EQ(why("large_pageable_copy")["verdict"]["limit"], "transfer");
  EXPECT_EQ(why("large_pageable_copy")["findings"][0]["rule"], "pageable_copies");
  EXPECT_EQ(why("large_pinned_copy")["verdict"]["limit"], "transfer");
  EXPECT_EQ(why("elementwise_memory_bound")["verdict"]["limit"], "memory");
  EXPECT_EQ(why("gemm_misaligned")["verdict"]["limit"], "compute");
  EXPECT_EQ(why("overlap_copy_compute")["verdict"]["limit"], "compute");
  EXPECT_EQ(why("pairs/tf32_allowed.before")["findings"][0]["rule"], "tensor_cores_idle");
}

TEST(Why, OwnersAddUpToTheWindow) {
  for (const char* name :
       {"loader_starved", "launch_bound", "launch_bound_graphed", "large_pageable_copy",
        "sync_bound", "transformer_healthy", "dataloader_workers8", "ddp/straggler.rank1"}) {
    expect_exact_sum(why(name));
  }
}

TEST(Why, FiltersNarrowTheWindow) {
  const SchemaJson all = why("loader_starved");
  const SchemaJson one = why("loader_starved", "--steps 2-3");
  EXPECT_EQ(one["window"]["units"], 2);
  EXPECT_LT(one["metrics"]["window_ns"].get<std::int64_t>(),
            all["metrics"]["window_ns"].get<std::int64_t>());
  expect_exact_sum(one);
  const Outcome none = rooflab("why " + recording("loader_starved") + " --steps 900-901");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(rooflab("why " + recording("loader_starved") + " --device 7").status, 2);
  EXPECT_EQ(rooflab("why " + recording("ddp/straggler.rank0") + " --rank 1").status, 2);
}

TEST(Why, CsvAndMarkdownAreTables) {
  const Outcome csv = rooflab("why " + recording("loader_starved") + " --format csv");
  EXPECT_EQ(first_line(csv.out), "input,device,owner,time_ns,ratio");
  const Outcome md = rooflab("why " + recording("loader_starved") + " --format md");
  EXPECT_THAT(md.out, HasSubstr("| --- |"));
}

TEST(Why, AFolderIsAnsweredFileByFile) {
  const std::string folder = quoted(test_data("h200/aa"));
  const Outcome text = rooflab("why " + folder);
  // balanced.rank1: what recording cost its host decides between busy and starved.
  EXPECT_EQ(text.status, 5) << text.err;
  EXPECT_THAT(text.out, HasSubstr("== "));
  const SchemaJson json = parsed(rooflab("why --json " + folder).out);
  EXPECT_EQ(schema_fault(json, schema("why")), "");
  EXPECT_EQ(json["inputs"].size(), 3U);
  EXPECT_EQ(json["data"]["files"].size(), 3U);
}

TEST(Why, OneRankOfAFolder) {
  const std::string folder = quoted(test_data("h200/ddp"));
  const SchemaJson rank = parsed(rooflab("why --json --rank 1 " + folder).out);
  EXPECT_EQ(rank["inputs"].size(), 2U);
}

TEST(Why, OneBadFileAmongGoodOnesIsAWarning) {
  const Folder folder;
  const std::string bad = folder.write("bad.json", "this is not a trace");
  const Outcome run = rooflab("why " + quoted(bad) + " " + recording("gemm_aligned"));
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("warning"));
  EXPECT_THAT(run.err, HasSubstr("bad.json"));
  EXPECT_THAT(run.err, EndsWith("rooflab: 1 of 2 inputs could not be read\n"));
  const Outcome json = rooflab("why --json " + quoted(bad) + " " + recording("gemm_aligned"));
  EXPECT_EQ(parsed(json.out)["warnings"].size(), 1U);
  EXPECT_EQ(rooflab("why -q " + quoted(bad) + " " + recording("gemm_aligned")).err, "");
  EXPECT_EQ(rooflab("why " + quoted(bad)).status, 3);
}

TEST(Why, OtherToolsFiguresComeWithTheirMeaning) {
  for (const char* peer : {"tracelens", "hta", "tensorboard"}) {
    const Outcome run =
        rooflab("why --as " + std::string(peer) + " " + recording("transformer_healthy"));
    EXPECT_EQ(run.status, 0) << peer << run.err;
    EXPECT_THAT(run.out, HasSubstr("what they mean")) << peer;
    EXPECT_LE(widest_line(run.out), 80) << peer;
    const Outcome json =
        rooflab("why --json --as " + std::string(peer) + " " + recording("transformer_healthy"));
    EXPECT_EQ(schema_fault(parsed(json.out), schema("why")), "") << peer;
  }
}

TEST(Why, StdinIsAFile) {
  const std::string run =
      "zcat " + recording("gemm_aligned") + " | " + quoted(ROOFLAB_BINARY) + " why - >/dev/null";
  EXPECT_EQ(std::system(run.c_str()), 0);
}

TEST(Why, HostileNamesCannotDriveTheTerminal) {
  const Folder folder;
  const std::string file = folder.write(
      "evil.json",
      R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"\u001b[2Jevil","pid":0,"tid":7,"ts":1,"dur":5,"args":{"device":0,"stream":7,"correlation":1}},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":1,"args":{"correlation":1}}]})");
  const Outcome run = rooflab("why " + quoted(file));
  EXPECT_TRUE(run.status == 0 || run.status == 5) << run.err;
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
  EXPECT_THAT(run.out, HasSubstr("\\x1b[2Jevil"));
}

TEST(Why, ACutFileGivesNoVerdict) {
  const Folder folder;
  const std::string command =
      "zcat " + recording("launch_bound") + " | head -c 300000 >" + folder.file("cut.json");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Outcome run = rooflab("why " + quoted(folder.file("cut.json")));
  EXPECT_EQ(run.status, 5) << run.err;
  EXPECT_THAT(run.out, HasSubstr("No verdict"));
  EXPECT_THAT(run.out, HasSubstr("truncated_input"));
}

TEST(Why, ACutFileWithoutDeviceWorkIsNoCpuRun) {
  const Folder folder;
  const std::string command =
      "zcat " + recording("launch_bound") + " | head -c 30000 >" + folder.file("cut.json");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto run = rooflab("why " + quoted(folder.file("cut.json")));
  EXPECT_EQ(run.status, 5) << run.err;
  EXPECT_THAT(first_line(run.out), HasSubstr("No verdict: truncated_input"));
}

TEST(Why, SuppressedFindingsAreListedWithTheirReason) {
  const Folder folder;
  const std::string config = folder.write(
      "rooflab.toml",
      "[[suppress]]\nrule = \"input_starved\"\nreason = \"the loader is replaced next week\"\n");
  const Outcome run = rooflab("why " + recording("loader_starved"), "ROOFLAB_CONFIG=" + config);
  EXPECT_THAT(
      run.out,
      HasSubstr("suppressed in rooflab.toml: input_starved (the loader is replaced next week)"));
  EXPECT_THAT(run.out, Not(HasSubstr("fix (pytorch): load in")));
}

}  // namespace
}  // namespace rooflab::testing
