// SPDX-License-Identifier: Apache-2.0
// The verbs beside why: info, top, import, export, explain, doctor, completion, config.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
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

// Hints say that info lists streams and ranges, so it must.
TEST(Info, ListsWhatFiltersCanName) {
  const Outcome text = rooflab("info " + recording("loader_starved"));
  EXPECT_THAT(text.out, HasSubstr("load_batch: "));
  EXPECT_THAT(text.out, HasSubstr("Streams"));
  EXPECT_THAT(text.out, HasSubstr("launched "));
  const SchemaJson data =
      parsed(rooflab("info --json " + recording("ddp/straggler.rank0")).out)["data"];
  ASSERT_EQ(data["streams"].size(), 2U);
  EXPECT_EQ(data["streams"][0]["stream"], 7);
  EXPECT_EQ(data["streams"][0]["work_count"], 385);
  EXPECT_EQ(data["streams"][1]["stream"], 17);
  EXPECT_EQ(data["streams"][1]["work_count"], 25);
  std::int64_t launched = 0;
  for (const auto& thread : data["threads"])
    launched += thread["launched_work_count"].get<std::int64_t>();
  EXPECT_EQ(launched, 410);
  std::map<std::string, std::int64_t> ranges;
  for (const auto& range : data["ranges"]) ranges[range["name"]] = range["count"];
  EXPECT_EQ(ranges["DistributedDataParallel.forward"], 5);
  for (const auto& stream : data["streams"]) {
    const std::string line = "why --stream " + stream["stream"].dump() + " ";
    // Known to the filter; one stream alone may not allow a verdict.
    EXPECT_NE(rooflab(line + recording("ddp/straggler.rank0")).status, 2) << line;
  }
}

TEST(Top, EveryTableHasEveryForm) {
  for (const char* by : {"kernel", "op", "gap", "copy", "thread", "module", "memory", "critical"}) {
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

TEST(Import, EveryInputKeepsItsRunFile) {
  const Folder folder;
  const std::string ranks =
      recording("ddp/straggler.rank0") + " " + recording("ddp/straggler.rank1");
  ASSERT_EQ(rooflab("import " + ranks + " -o " + quoted(folder.path())).status, 0);
  for (const int rank : {0, 1}) {
    const std::string file = folder.file("straggler.rank" + std::to_string(rank) + ".rlab");
    EXPECT_EQ(parsed(rooflab("info --json " + quoted(file)).out)["inputs"][0]["rank"], rank);
  }
  // The same again replaces run files; two inputs of one name are refused before anything is done.
  EXPECT_EQ(rooflab("import " + ranks + " -o " + quoted(folder.path())).status, 0);
  const Folder clash;
  const Outcome twice = rooflab("import " + recording("sync_bound") + " " +
                                recording("sync_bound") + " -o " + quoted(clash.path()));
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(std::filesystem::is_empty(clash.path()));
}

TEST(Import, TakesWhatWhyTakes) {
  const Folder folder;
  const std::string empty = folder.write("noev.json", "{\"traceEvents\":[]}");
  const Outcome why = rooflab("why " + quoted(empty));
  const Outcome import =
      rooflab("import " + quoted(empty) + " -o " + quoted(folder.file("x.rlab")));
  EXPECT_EQ(why.status, 5);
  EXPECT_EQ(import.status, 5);
  EXPECT_EQ(import.err, why.err);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.rlab")));
  const Outcome some = rooflab("import " + quoted(empty) + " " + recording("sync_bound") + " -o " +
                               quoted(folder.path()));
  EXPECT_EQ(some.status, 0);
  EXPECT_THAT(some.err, HasSubstr("1 of 2 inputs could not be used"));
  EXPECT_TRUE(std::filesystem::exists(folder.file("sync_bound.rlab")));
}

TEST(Import, AnInputOrAForeignFileIsNeverReplaced) {
  const Folder folder;
  std::filesystem::copy_file(test_data("h200/sync_bound.json.gz"), folder.file("t.json.gz"));
  const std::string before = folder.read("t.json.gz");
  const std::string trace = quoted(folder.file("t.json.gz"));
  std::filesystem::create_hard_link(folder.file("t.json.gz"), folder.file("link"));
  for (const std::string& line :
       {"import " + trace + " -o " + trace, "import --force " + trace + " -o " + trace,
        "import --force " + trace + " -o " + quoted(folder.file("link")),
        "export --to csv --force " + trace + " -o " + trace,
        "export --to csv " + trace + " -o " + quoted(folder.file("link"))}) {
    const Outcome run = rooflab(line);
    EXPECT_EQ(run.status, 2) << line << run.err;
    EXPECT_THAT(run.err, HasSubstr("the output is the input")) << line;
    EXPECT_EQ(folder.read("t.json.gz"), before) << line;
  }
  const std::string piped = quoted(ROOFLAB_BINARY) + " export --to csv --force - -o " + trace +
                            " <" + trace + " 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(piped.c_str())), 2);
  EXPECT_EQ(folder.read("t.json.gz"), before);
  const std::string keep = quoted(folder.write("keep.txt", "mine"));
  for (const std::string& line :
       {"import " + trace + " -o " + keep, "export --to csv " + trace + " -o " + keep}) {
    EXPECT_EQ(rooflab(line).status, 2) << line;
    EXPECT_EQ(folder.read("keep.txt"), "mine") << line;
  }
  EXPECT_EQ(rooflab("export --force --to csv " + trace + " -o " + keep).status, 0);
  EXPECT_THAT(folder.read("keep.txt"), StartsWith("table,"));
}

TEST(Import, ARunFileIsShownUnderItsOwnName) {
  const Folder folder;
  const std::string run_file = folder.file("mine.rlab");
  ASSERT_EQ(rooflab("import " + recording("sync_bound") + " -o " + quoted(run_file)).status, 0);
  const SchemaJson info = parsed(rooflab("info --json " + quoted(run_file)).out);
  EXPECT_EQ(info["inputs"][0]["path"], run_file);
  EXPECT_EQ(info["data"]["metadata"]["imported_from"], test_data("h200/sync_bound.json.gz"));
}

TEST(Export, ChromeEventsCanBeReadBack) {
  const Folder folder;
  const std::string file = folder.file("t.json");
  const Outcome exported =
      rooflab("export --to chrome -o " + quoted(file) + " " + recording("sync_bound"));
  ASSERT_EQ(exported.status, 0);
  EXPECT_EQ(exported.out, "");
  EXPECT_EQ(exported.err, "rooflab: wrote " + file + "\n");
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
  const std::string several = "explain provisional healthy device_steps comm_bound compute";
  EXPECT_THAT(rooflab(several).out, HasSubstr("compute (owner)"));
  EXPECT_EQ(schema_fault(parsed(rooflab(several + " --json").out), schema("explain")), "");
  EXPECT_THAT(rooflab(several + " --format csv").out, StartsWith("kind,id,title,text"));
  EXPECT_EQ(rooflab("explain healthy nonsense").status, 2);
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
  const std::pair<const char*, const char*> values[] = {
      {"rooflab top --by o", "op"},
      {"rooflab top --by = ker", "kernel"},
      {"rooflab why --as ht", "hta"},
      {"rooflab why --format js", "json"},
      {"rooflab export --to c", "chrome csv"},
      {"rooflab explain input_st", "input_starved"}};
  for (const auto& [words, wanted] : values) {
    const std::string line = std::string("bash -c 'source ") + script + "; COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rooflab; "
                             "echo ${COMPREPLY[*]}' >" +
                             folder.file("answer");
    EXPECT_EQ(std::system(line.c_str()), 0) << words;
    EXPECT_EQ(folder.read("answer"), std::string(wanted) + "\n") << words;
  }
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
  EXPECT_EQ(rooflab("config").out, rooflab("config --show").out);
}

}  // namespace
}  // namespace rooflab::testing
