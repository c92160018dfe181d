// SPDX-License-Identifier: Apache-2.0
// Inputs that are no whole trace, through the command line: the exit status, and an error that
// names the file and says what to do, for people and for scripts.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;

struct Malformed {
  const char* name;
  std::string text;
  int status;        // of why
  const char* code;  // of the error document; empty: an answer
  const char* message;
};

const std::string kLaunchedKernel =
    R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":10,"dur":5,)"
    R"("args":{"device":0,"stream":7,"correlation":1}},)"
    R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":1,)"
    R"("args":{"correlation":1}})";

std::string run_file_head() { return std::string("\x89RLAB\r\n\x1a", 8); }

std::vector<Malformed> inputs() {
  return {
      {"empty.json", "", 3, "unreadable", "empty"},
      {"two_magic_bytes.json.gz", "\x1f\x8b", 3, "unreadable", "gzip"},
      {"text.json", "this is not a trace", 3, "unreadable", "format is not known"},
      {"other.json", R"({"a":1})", 3, "unreadable", "no array of trace events"},
      {"list.json", "[]", 5, "inconclusive", "neither device work nor host activity"},
      {"no_events.json", R"({"traceEvents":[]})", 5, "inconclusive", "neither device work"},
      {"only_opened.json", R"({"traceEvents":)", 3, "unreadable", "no array of trace events"},
      {"cut_run.rlab", run_file_head() + "\x01", 3, "unreadable", ""},
      {"zeros.rlab", run_file_head() + std::string(200, '\0'), 3, "unreadable", ""},
      // Repaired: an answer, with a note.
      {"trailing_comma.json", "{\"traceEvents\":[" + kLaunchedKernel + ",]}", 0, "", ""},
      {"no_closing.json", "{\"traceEvents\":[" + kLaunchedKernel + ",\n", 5, "", ""},
  };
}

void expect_error(const Outcome& run, const Malformed& input, const std::string& file) {
  const SchemaJson json = parsed(run.out);
  ASSERT_EQ(schema_fault(json, schema("error")), "") << input.name << "\n" << run.out;
  const SchemaJson& error = json["error"];
  EXPECT_EQ(error["code"], input.code) << input.name;
  EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(input.message)) << input.name;
  EXPECT_THAT(error["where"].get<std::string>(), HasSubstr(file)) << input.name;
  EXPECT_NE(error["hint"], "") << input.name;
}

TEST(Malformed, EachHasItsStatusAndSaysWhereAndWhatToDo) {
  const Folder folder;
  for (const Malformed& input : inputs()) {
    const std::string file = folder.write(input.name, input.text);
    const Outcome text = rooflab("why " + quoted(file));
    EXPECT_EQ(text.status, input.status) << input.name << "\n" << text.err << text.out;
    const Outcome json = rooflab("why --json " + quoted(file));
    EXPECT_EQ(json.status, input.status) << input.name;
    if (*input.code == '\0') {
      EXPECT_EQ(schema_fault(parsed(json.out), schema("why")), "") << input.name;
      EXPECT_FALSE(parsed(json.out)["data"]["hygiene"].empty()) << input.name;
      continue;
    }
    EXPECT_EQ(text.out, "") << input.name;
    EXPECT_THAT(text.err, HasSubstr(file)) << input.name;
    EXPECT_THAT(text.err, HasSubstr("hint: ")) << input.name;
    expect_error(json, input, file);
  }
}

// top and import refuse what why refuses, with the same words.
TEST(Malformed, AllVerbsAgree) {
  const Folder folder;
  for (const Malformed& input : inputs()) {
    if (*input.code == '\0') continue;
    const std::string file = folder.write(input.name, input.text);
    const std::string words = rooflab("why " + quoted(file)).err;
    const std::string output = folder.file("x.rlab");
    for (const std::string& line :
         {"top " + quoted(file), "import " + quoted(file) + " -o " + quoted(output)}) {
      const Outcome run = rooflab(line);
      EXPECT_EQ(run.status, input.status) << line;
      EXPECT_EQ(run.err, words) << line;
    }
    EXPECT_FALSE(std::filesystem::exists(output)) << input.name;
    const Outcome info = rooflab("info " + quoted(file));
    EXPECT_EQ(info.status, input.status == 3 ? 3 : 0) << input.name << info.err;
  }
}

TEST(Malformed, AFolderOfRubbishIsUnreadable) {
  const Folder folder;
  folder.write("notes.txt", "nothing");
  const Outcome run = rooflab("why --json " + quoted(folder.path()));
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(schema_fault(parsed(run.out), schema("error")), "");
  EXPECT_THAT(run.err, HasSubstr(folder.path()));
}

}  // namespace
}  // namespace rooflab::testing
