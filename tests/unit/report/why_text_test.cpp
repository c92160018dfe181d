// SPDX-License-Identifier: Apache-2.0
// The screen and the JSON block on hand-made analyses: what they say in corners that recordings do
// not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/text.h"
#include "report/why.h"
#include "support/hand_made_analysis.h"

namespace rooflab::report {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;
using ::testing::Not;

WhyReport report_of(HandMade& h) {
  WhyReport r;
  r.analysis = &h.analysis();
  r.findings = rules::evaluate(h.analysis(), nullptr);
  r.verdict = verdict::decide(h.analysis(), r.findings, nullptr);
  return r;
}

TEST(WhyText, AnswersTheThreeQuestions) {
  HandMade h;
  h.own("idle.starved.input:load_batch", 90).because("load_batch").own("compute.gemm", 10);
  const std::string text = why_text(report_of(h), Style{});
  EXPECT_THAT(text, HasSubstr("Is the GPU busy?          10.0 %"));
  EXPECT_THAT(text, HasSubstr("Is the work useful?      unknown"));
  EXPECT_THAT(text, HasSubstr("idle.starved.input:load_batch"));
  EXPECT_THAT(text, HasSubstr("load_batch: 90.0 ms in 1 gap, longest 90.0 ms [starved.input]"));
}

TEST(WhyText, SmallOwnersAreSummedUpUnlessVerbose) {
  HandMade h;
  h.own("compute.gemm", 9970).own("compute.norm", 10).own("memset", 20);
  Style style;
  EXPECT_THAT(why_text(report_of(h), style), HasSubstr("2 more (-v)"));
  style.verbosity = 1;
  EXPECT_THAT(why_text(report_of(h), style), HasSubstr("compute.norm"));
}

TEST(WhyText, ASingleRankAsksForTheOthers) {
  HandMade h;
  h.own("comm.exposed.unsplit", 50).own("compute.gemm", 50);
  EXPECT_THAT(why_text(report_of(h), Style{}), HasSubstr("give the other ranks' files"));
}

TEST(WhyText, RanksThatWereGivenAreNotAskedFor) {
  HandMade h;
  h.own("comm.exposed.unsplit", 50).own("compute.gemm", 50);
  WhyReport r = report_of(h);
  r.files = 2;
  const std::string text = why_text(r, Style{});
  EXPECT_THAT(text, HasSubstr("not all ranks of its groups could be matched"));
  EXPECT_THAT(text, Not(HasSubstr("give the other ranks")));
}

TEST(WhyText, TheWholeFilesBusyShareIsAddedWhereItDiffers) {
  HandMade h;
  h.own("compute.gemm", 10).own("idle.starved.unknown", 90);
  EXPECT_THAT(why_text(report_of(h), Style{}), Not(HasSubstr("whole file")));
  h.analysis().metrics.gpu_busy_ratio = 0.105;
  EXPECT_THAT(why_text(report_of(h), Style{}), Not(HasSubstr("whole file")));
  h.analysis().metrics.gpu_busy_ratio = 0.171;
  const std::string text = why_text(report_of(h), Style{});
  EXPECT_THAT(text, HasSubstr("10.0 %  10.0 ms of 100 ms; whole file 17.1 %"));
}

TEST(WhyText, TheLargestOwnerIsExplainedWithoutAFinding) {
  HandMade h;
  h.own("idle.starved.range:augment", 90).own("compute.gemm", 10);
  EXPECT_THAT(why_text(report_of(h), Style{}),
              HasSubstr("largest owner, with no finding: idle.starved.range:augment, 90.0 %"));
  HandMade found;
  found.own("idle.starved.input:load", 90).own("compute.gemm", 10);
  EXPECT_THAT(why_text(report_of(found), Style{}), Not(HasSubstr("largest owner")));
}

TEST(WhyText, LongUnitNamesAreShortened) {
  HandMade h;
  h.own("compute.gemm", 10);
  h.analysis().units.marker = "void ns::kernel<" + std::string(500, 'x') + ">(int)";
  h.analysis().window.unit_count = 1;
  EXPECT_THAT(why_text(report_of(h), Style{}), Not(HasSubstr(std::string(50, 'x'))));
}

TEST(WhyText, LongListsGiveWayToKeepOnePage) {
  HandMade h;
  for (int i = 0; i < 30; ++i) {
    h.own("idle.starved.range:r" + std::to_string(i), 30 - i).because("r" + std::to_string(i));
    h.kernel("k" + std::to_string(i), analysis::KernelClass::kGemm, 1, Nanos(100 - i));
    h.profile().hygiene.add("note" + std::to_string(i), "f", 1, "hint " + std::string(100, 'h'));
  }
  const std::string text = why_text(report_of(h), Style{});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 45) << text;
}

TEST(WhyMarkdown, SaysWhatTheScreenSays) {
  HandMade h;
  h.own("idle.starved.input:load|x", 90).because("load|x").own("compute.gemm", 10);
  h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(10'000'000));
  const std::string text = why_markdown(report_of(h), Style{});
  for (const char* part : {"### The GPU waits for input", "Is the GPU busy?", "| --- |",
                           "**Steps**", "**Idle during**", "input\\_starved", "fix (pytorch)",
                           "refuted if", "Top kernels", "**Trust**", "**Not judged**"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, HasSubstr("load\\|x"));
  EXPECT_EQ(text.find("The GPU waits"), text.rfind("The GPU waits")) << "said twice";
}

TEST(WhyText, HygieneThatForbidsIsAlwaysShown) {
  HandMade h;
  h.own("compute.gemm", 100);
  for (int i = 0; i < 9; ++i) h.profile().hygiene.add("note" + std::to_string(i), "f", 1, "hint");
  h.profile().hygiene.add("truncated_input", "f", 1, "the end is missing", model::Claim::kCoverage);
  const std::string text = why_text(report_of(h), Style{});
  EXPECT_THAT(text, HasSubstr("truncated_input"));
  EXPECT_THAT(text, HasSubstr("no conclusions about idle time"));
  EXPECT_THAT(text, HasSubstr("6 more (-v)"));
}

TEST(WhyText, AnEmptyProfileSaysWhatIsMissing) {
  HandMade h;
  const std::string text = why_text(report_of(h), Style{});
  EXPECT_THAT(text, HasSubstr("Nothing to judge"));
  EXPECT_THAT(text, HasSubstr("Not judged"));
  EXPECT_THAT(text, Not(HasSubstr("provisional")));
}

TEST(WhyText, HostileNamesStayWithinThePage) {
  HandMade h;
  h.own("idle.starved.range:\x1b[31m" + std::string(200, 'x'), 90)
      .because(std::string(300, 'y') + "\n\x1b[2J");
  h.own("compute.gemm", 10);
  h.kernel("\x1b]0;owned\x07" + std::string(500, 'z'), analysis::KernelClass::kGemm, 1, Nanos(10));
  std::istringstream lines(why_text(report_of(h), Style{}));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
    EXPECT_LE(display_width(line), 80) << line;
  }
}

TEST(WhyJson, UnknownFiguresAreNull) {
  HandMade h;
  h.own("compute.gemm", 100);
  h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(100'000'000));
  const Json json = why_json(report_of(h));
  EXPECT_TRUE(json["metrics"]["useful_ratio"].is_null());
  EXPECT_TRUE(json["metrics"]["roof_device"].is_null());
  EXPECT_TRUE(json["window"]["unit_ns_mean"].is_null());
  EXPECT_EQ(json["window"]["gpu_busy_ratio"], 1.0);
  EXPECT_TRUE(json["kernels"][0]["roof_ratio"].is_null());
  EXPECT_EQ(json["accounting"][0]["total_ns"], 100'000'000);
  EXPECT_TRUE(json["findings"].empty());
}

}  // namespace
}  // namespace rooflab::report
