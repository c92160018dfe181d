// SPDX-License-Identifier: Apache-2.0
// What happens when the command line is wrong, and what --help and --version say.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kVerbs[] = {"why",    "info",   "import",  "top",        "export",
                                  "doctor", "whatif", "explain", "completion", "config",
                                  "cost",   "diff",   "gate"};

TEST(Usage, VersionAndHelpAreResults) {
  const Outcome version = rooflab("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("rooflab 0."));
  const Outcome help = rooflab("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* verb : kVerbs) EXPECT_THAT(help.out, HasSubstr(verb));
  for (const char* later : {"record", "bench", "serve"}) {
    EXPECT_THAT(help.out, Not(HasSubstr(std::string("\n  ") + later + " "))) << later;
  }
  EXPECT_EQ(help.err, "");
  EXPECT_LE(widest_line(help.out), 80);
}

TEST(Usage, EveryVerbHelpsWithAnExample) {
  for (const char* verb : kVerbs) {
    const Outcome help = rooflab(std::string(verb) + " --help");
    EXPECT_EQ(help.status, 0) << verb;
    EXPECT_THAT(help.out, HasSubstr(std::string("rooflab ") + verb)) << verb;
    EXPECT_THAT(help.out, HasSubstr("Example")) << verb;
    EXPECT_LE(widest_line(help.out), 80) << verb << "\n" << help.out;
  }
}

TEST(Usage, WithoutAVerbHelpGoesToStderr) {
  const Outcome run = rooflab("");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("why"));
}

TEST(Usage, AnUnknownVerbIsCorrected) {
  const Outcome run = rooflab("wyh trace.json");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("did you mean why?"));
  const Outcome file = rooflab(recording("gemm_aligned"));
  EXPECT_EQ(file.status, 2);
  EXPECT_THAT(file.err, HasSubstr("rooflab why "));
}

TEST(Usage, UnknownOptionsAndValuesAreCorrected) {
  const Outcome option = rooflab("why x.json --jsn");
  EXPECT_EQ(option.status, 2);
  EXPECT_THAT(option.err, HasSubstr("did you mean --json?"));
  const Outcome value = rooflab("top x.json --by kernle");
  EXPECT_EQ(value.status, 2);
  EXPECT_THAT(value.err, HasSubstr("did you mean kernel?"));
  const Outcome format = rooflab("why x.json --format=jsno");
  EXPECT_EQ(format.status, 2);
  EXPECT_THAT(format.err, HasSubstr("did you mean json?"));
  const Outcome peer = rooflab("why x.json --as tracelnes");
  EXPECT_EQ(peer.status, 2);
  EXPECT_THAT(peer.err, HasSubstr("did you mean tracelens?"));
  EXPECT_EQ(rooflab("why").status, 2);
  EXPECT_EQ(rooflab("why x.json --steps 5-2").status, 2);
  EXPECT_EQ(rooflab("why x.json --device one").status, 2);
}

TEST(Usage, CorrectionsComeBeforeMissingFilesAndIgnoreCapitals) {
  EXPECT_THAT(rooflab("why --jsn").err, HasSubstr("did you mean --json?"));
  EXPECT_THAT(rooflab("top x.json --bye op").err, HasSubstr("did you mean --by?"));
  EXPECT_THAT(rooflab("WHY x.json").err, HasSubstr("did you mean why?"));
  EXPECT_THAT(rooflab("why x.json --format JSON").err, HasSubstr("did you mean json?"));
  EXPECT_THAT(rooflab("why x.json --as HTA").err, HasSubstr("did you mean hta?"));
  const Outcome none = rooflab("--foo");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("hint: rooflab --help"));
}

TEST(Usage, HelpAndVersionNeedNoFile) {
  const Outcome help = rooflab("help");
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.out, rooflab("--help").out);
  EXPECT_THAT(help.out, HasSubstr("Exit status:"));
  for (const char* status : {"0", "2", "3", "4", "5"})
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + status + "  "));
  EXPECT_EQ(rooflab("help top").out, rooflab("top --help").out);
  const Outcome version = rooflab("why --version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("rooflab 0."));
}

// Every line was accepted and silently ignored something once.
TEST(Usage, WhatWouldBeIgnoredIsRefused) {
  const std::string file = recording("launch_bound");
  const std::pair<std::string, const char*> lines[] = {
      {"why --name zzz ", "does not apply to why"},
      {"why --input-range nope ", "no range is named nope"},
      {"why --steps 1-2 --window 0:5ms ", "both choose the window"},
      {"why --steps 1-2 --skip-first 1 ", "both choose the window"},
      {"why --as hta --steps 1-2 ", "a window of its own"},
      {"export --to csv --json ", "does not apply to export"},
      {"import -o x --format csv ", "prints no csv"},
      {"top --by kernel --by-shape ", "only operators have shapes"},
      {"top --limit -1 ", "negative"},
      {"why --json --format csv ", "different forms"},
      {"why -q -v ", "contradict"},
      {"top --by function ", "is not a value"},
  };
  for (const auto& [line, why] : lines) {
    const Outcome run = rooflab(line + file);
    EXPECT_EQ(run.status, 2) << line << run.err;
    EXPECT_THAT(run.err, HasSubstr(why)) << line;
    EXPECT_THAT(run.err, HasSubstr("hint: ")) << line;
  }
  EXPECT_EQ(rooflab("completion bash --json").status, 2);
  EXPECT_THAT(rooflab("top --help").out, Not(HasSubstr("function")));
}

TEST(Usage, StepsBeyondTheLastUnitAreSaid) {
  const Outcome run = rooflab("why --steps 2-100 " + recording("launch_bound"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--steps reaches beyond the last unit"));
}

TEST(Usage, ZeroNeedsNoUnit) {
  EXPECT_EQ(rooflab("why --window 0:5ms " + recording("launch_bound")).status, 0);
  EXPECT_THAT(rooflab("why --help").out, HasSubstr("0:5ms"));
}

TEST(Usage, AMissingFileIsStatusThree) {
  const Outcome run = rooflab("why no-such-file.json");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("no-such-file.json"));
}

TEST(Usage, ErrorsAreJsonOnDemand) {
  for (const char* line : {"why no-such-file.json --json", "wyh x --json", "why x --jsn --json",
                           "explain nonsense --format json"}) {
    const Outcome run = rooflab(line);
    EXPECT_NE(run.status, 0) << line;
    EXPECT_EQ(schema_fault(parsed(run.out), schema("error")), "") << line << "\n" << run.out;
    EXPECT_NE(run.err, "") << line;
  }
  EXPECT_EQ(parsed(rooflab("why no-such-file.json --json").out)["error"]["code"], "unreadable");
}

TEST(Usage, ACommandIsRefusedWithAWayOut) {
  const Outcome run = rooflab("why x.json -- python train.py");
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, HasSubstr("not available"));
  EXPECT_EQ(rooflab("why -- python train.py").status, 4);
  EXPECT_EQ(rooflab("top x.json -- python train.py").status, 2);
}

TEST(Usage, AFullDiskIsNoSuccess) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const std::string command = quoted(ROOFLAB_BINARY) + " explain >/dev/full 2>/dev/null";
  const int raw = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(raw), 3);
}

}  // namespace
}  // namespace rooflab::testing
