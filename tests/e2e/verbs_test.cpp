// SPDX-License-Identifier: Apache-2.0
// The verbs beside why: info, top, import, export, explain, doctor, completion, config.
#include <gmock/gmock.h>

#include <regex>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Info, CountsAreThoseOfTheFile) {
  const Outcome json = rooflab("info --json " + recording("loader_starved"));
  EXPECT_EQ(json.status, 0) << json.err;
  const SchemaJson document = parsed(json.out);
  EXPECT_EQ(schema_fault(document, schema("info")), "");
  EXPECT_GT(document["data"]["metrics"]["kernel_count"], 0);
  const Outcome text = rooflab("info " + recording("loader_starved"));
  EXPECT_THAT(text.out, HasSubstr("NVIDIA H200"));
  EXPECT_LE(widest_line(text.out), 80);
}

TEST(Top, EveryTableHasEveryForm) {
  for (const char* by : {"kernel", "op", "gap", "copy", "thread", "module", "memory"}) {
    const std::string line =
        std::string("top --by ") + by + " " + recording("transformer_healthy") + " ";
    const Outcome text = rooflab(line);
    EXPECT_EQ(text.status, 0) << by << text.err;
    EXPECT_LE(widest_line(text.out), 80) << by << "\n" << text.out;
    EXPECT_EQ(schema_fault(parsed(rooflab(line + "--json").out), schema("top")), "") << by;
    EXPECT_THAT(rooflab(line + "--format csv").out, HasSubstr(",")) << by;
    EXPECT_THAT(rooflab(line + "--format md").out, HasSubstr("| ---")) << by;
  }
}

TEST(Top, LimitAndNameFilter) {
  const std::string file = recording("transformer_healthy");
  const SchemaJson two = parsed(rooflab("top --json --limit 2 " + file).out);
  EXPECT_EQ(two["data"]["rows"].size(), 2U);
  EXPECT_GT(two["data"]["rows_left_out"], 0);
  const SchemaJson gemm = parsed(rooflab("top --json --name 'gemm|nvjet' " + file).out);
  for (const auto& row : gemm["data"]["rows"]) {
    EXPECT_TRUE(std::regex_search(row.dump(), std::regex("gemm|nvjet"))) << row.dump();
  }
  EXPECT_EQ(rooflab("top --name '(' " + file).status, 2);
}

TEST(Top, HostTablesFollowTheChosenWindow) {
  for (const char* by : {"op", "copy", "thread"}) {
    const std::string line = std::string("top --by ") + by + " " + recording("sync_bound");
    EXPECT_THAT(rooflab(line).out, HasSubstr("in the file")) << by;
    const auto some = rooflab(line + " --steps 1-2");
    EXPECT_THAT(some.out, HasSubstr("in the window")) << by;
    EXPECT_NE(some.out, rooflab(line + " --steps 1-4").out) << by;
  }
}

TEST(Top, LinesNeedSamples) {
  const Outcome run = rooflab("top --by function " + recording("gemm_aligned"));
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, HasSubstr("samples"));
}

TEST(Import, ARunFileAnswersLikeItsTrace) {
  const Folder folder;
  const std::string run_file = folder.file("x.rlab");
  const Outcome import = rooflab("import " + recording("launch_bound") + " -o " + quoted(run_file));
  ASSERT_EQ(import.status, 0) << import.err;
  EXPECT_EQ(import.out, "");
  SchemaJson trace = parsed(rooflab("why --json " + recording("launch_bound")).out);
  SchemaJson run = parsed(rooflab("why --json " + quoted(run_file)).out);
  EXPECT_EQ(run["data"]["accounting"], trace["data"]["accounting"]);
  EXPECT_EQ(run["data"]["metrics"], trace["data"]["metrics"]);
  EXPECT_EQ(schema_fault(parsed(rooflab("import --json " + recording("launch_bound") + " -o " +
                                        quoted(run_file))
                                    .out),
                         schema("import")),
            "");
}

TEST(Import, SeveralInputsNeedAFolder) {
  const Folder folder;
  const std::string both = recording("gemm_aligned") + " " + recording("gemm_misaligned");
  EXPECT_EQ(rooflab("import " + both + " -o " + quoted(folder.file("x.rlab"))).status, 2);
  EXPECT_EQ(rooflab("import " + both + " -o " + quoted(folder.path())).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("gemm_aligned.rlab")));
  EXPECT_EQ(rooflab("import " + recording("gemm_aligned") + " -o /no/such/folder/x.rlab").status,
            3);
}

TEST(Export, ChromeEventsCanBeReadBack) {
  const Folder folder;
  const std::string file = folder.file("t.json");
  ASSERT_EQ(rooflab("export --to chrome -o " + quoted(file) + " " + recording("sync_bound")).status,
            0);
  const SchemaJson before = parsed(rooflab("why --json " + recording("sync_bound")).out)["data"];
  const SchemaJson after = parsed(rooflab("why --json " + quoted(file)).out)["data"];
  EXPECT_EQ(after["metrics"]["kernel_count"], before["metrics"]["kernel_count"]);
  EXPECT_EQ(after["metrics"]["kernel_sum_ns"], before["metrics"]["kernel_sum_ns"]);
  EXPECT_EQ(after["metrics"]["device_busy_ns"], before["metrics"]["device_busy_ns"]);
  EXPECT_EQ(after["metrics"]["unlinked_count"], before["metrics"]["unlinked_count"]);
}

TEST(Export, CsvHasOneLineARow) {
  const Outcome run = rooflab("export --to csv " + recording("gemm_aligned"));
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("table,kind,name,start_ns,duration_ns,"));
  const SchemaJson info = parsed(rooflab("info --json " + recording("gemm_aligned")).out)["data"];
  const std::int64_t rows = info["span_count"].get<std::int64_t>() +
                            info["metrics"]["device_work_count"].get<std::int64_t>();
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), rows + 1);
}

TEST(Explain, KnowsEveryRuleOwnerAndHygieneCode) {
  for (const char* name :
       {"input_starved", "gpu_busy_ratio", "idle.dispatch", "idle.starved.input:load_batch",
        "compute.gemm", "launch", "unlinked_work"}) {
    const Outcome run = rooflab(std::string("explain ") + name);
    EXPECT_EQ(run.status, 0) << name << run.err;
    EXPECT_LE(widest_line(run.out), 80) << name;
    EXPECT_EQ(
        schema_fault(parsed(rooflab(std::string("explain --json ") + name).out), schema("explain")),
        "")
        << name;
  }
  EXPECT_EQ(rooflab("explain").status, 0);
  const Outcome wrong = rooflab("explain input_starvd");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean input_starved?"));
}

TEST(Doctor, SaysHowToGetWhatIsMissing) {
  const Outcome run = rooflab("doctor");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("cores"));
  EXPECT_THAT(run.out, HasSubstr("perf_event_paranoid"));
  EXPECT_LE(widest_line(run.out), 80);
  EXPECT_EQ(schema_fault(parsed(rooflab("doctor --json").out), schema("doctor")), "");
}

TEST(Completion, IsAcceptedByTheShell) {
  const Folder folder;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome run = rooflab(std::string("completion ") + shell);
    EXPECT_EQ(run.status, 0) << shell;
    EXPECT_THAT(run.out, HasSubstr("explain")) << shell;
    if (std::system((std::string("command -v ") + shell + " >/dev/null 2>&1").c_str()) != 0)
      continue;
    const std::string script = folder.write(shell, run.out);
    EXPECT_EQ(std::system((std::string(shell) + " -n " + quoted(script)).c_str()), 0) << shell;
  }
  const std::string script = folder.write("c.bash", rooflab("completion bash").out);
  const std::string ask =
      "bash -c 'source " + script +
      "; COMP_WORDS=(rooflab ex); COMP_CWORD=1; _rooflab; echo ${COMPREPLY[*]}' >" +
      folder.file("answer");
  EXPECT_EQ(std::system(ask.c_str()), 0);
  EXPECT_EQ(folder.read("answer"), "explain export\n");
  EXPECT_EQ(rooflab("completion tcsh").status, 2);
}

TEST(Config, ShowsWhereEachValueComesFrom) {
  const Folder folder;
  const std::string config = folder.write("rooflab.toml", "input_range = \"fetch\"\n");
  const Outcome run = rooflab("config --show --json --full-names",
                              "ROOFLAB_STEP_RANGE=train ROOFLAB_CONFIG=" + config);
  EXPECT_EQ(run.status, 0) << run.err;
  const SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("config")), "");
  std::map<std::string, std::string> origins;
  for (const auto& row : json["data"]["rows"]) origins[row["key"]] = row["origin"];
  EXPECT_EQ(origins["format"], "--format");
  EXPECT_EQ(origins["full_names"], "--full-names");
  EXPECT_EQ(origins["step_range"], "ROOFLAB_STEP_RANGE");
  EXPECT_EQ(origins["input_range"], config);
  EXPECT_EQ(origins["threads"], "default");
}

}  // namespace
}  // namespace rooflab::testing
