// SPDX-License-Identifier: Apache-2.0
// Tables written after the tool's documentation (no file of the tool was at hand): every report,
// delimiter and header variant that it describes.
#include <gtest/gtest.h>

#include <algorithm>

#include "importers/vtune/table.h"
#include "support/cpu_text.h"

namespace rooflab::importers {
namespace {

using rooflab::testing::import_sniffed;
using rooflab::testing::stack_words;
using rooflab::testing::weight_of;

constexpr const char* kHotspots =
    "Function,CPU Time,CPU Time:Effective Time,CPU Time:Effective Time:Idle,CPU Time:Spin "
    "Time,CPU Time:Overhead Time,Module,Function (Full),Source File,Start Address\n"
    "parse,1.250,1.250,0.1,0,0,app,\"app::parse(char const*, int)\",parse.cpp,0x401000\n"
    "[Loop at line 12 in hot],0.500,0.500,0,0,0,app,[Loop at line 12 in hot],hot.cpp,0x402000\n"
    "memcpy,0.000000001,0,0,0,0,libc.so.6,memcpy,[Unknown],0x1\n"
    "idle,0,0,0,0,0,app,idle,a.cpp,0x1\n";

model::Profile read(std::string_view text) {
  auto p = import_sniffed(text);
  if (!p) {
    ADD_FAILURE() << p.error().message;
    return {};
  }
  EXPECT_EQ(p->provenance.importer, "vtune_csv");
  return std::move(*p);
}

TEST(VtuneCsv, HotspotsAreTimeByFunctionWithoutATime) {
  const model::Profile p = read(kHotspots);
  ASSERT_EQ(p.samples.size(), 3U);  // a function without time has no sample
  EXPECT_EQ(weight_of(p, "cpu_time"), 1750000001);
  EXPECT_EQ(p.samples.time[0], model::kNoTime);
  EXPECT_EQ(stack_words(p, 0), "app::parse(char const*, int)");
  EXPECT_EQ(stack_words(p, 1), "hot");
  const model::Stack& loop = p.stacks[p.samples.stack[1].row];
  EXPECT_EQ(p.text(loop.location), "hot.cpp:12");
  EXPECT_EQ(p.text(loop.module), "app");
}

TEST(VtuneCsv, DelimitersGiveTheSameRows) {
  for (const char delimiter : {'\t', ';', '|'}) {
    std::string text = kHotspots;
    bool quoted = false;
    for (char& c : text) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) c = delimiter;
    }
    const model::Profile p = read(text);
    EXPECT_EQ(weight_of(p, "cpu_time"), 1750000001) << delimiter;
    EXPECT_EQ(stack_words(p, 0), "app::parse(char const*, int)") << delimiter;
  }
}

TEST(VtuneCsv, HardwareEventsAreCountsInTheModelsNames) {
  const model::Profile p = read(
      "vtune: Using result path `/home/user/r000hw'\nvtune: Executing actions 75 % Generating a "
      "report\n\nFunction,Hardware Event Count:INST_RETIRED.ANY:Self,Hardware Event "
      "Count:CPU_CLK_UNHALTED.THREAD:Self,Hardware Event Sample Count:INST_RETIRED.ANY:Self,"
      "Hardware Event Count:UOPS_ISSUED.ANY:Self,CPI Rate,Module\n"
      "hot,\"6,410,000,000\",3205000000,3205,12,0.5,app\n");
  EXPECT_EQ(weight_of(p, "instructions"), 6410000000);
  EXPECT_EQ(weight_of(p, "cycles"), 3205000000);
  EXPECT_EQ(weight_of(p, "UOPS_ISSUED.ANY"), 12);
  EXPECT_EQ(p.hygiene.count("text_before_table"), 2);
  EXPECT_EQ(p.hygiene.count("unused_columns"), 1);  // a rate of others
}

TEST(VtuneCsv, TopDownTreesAreStacksByWhatANodeDoesItself) {
  const model::Profile with_self = read(
      "Function Stack;CPU Time:Total;CPU Time:Self;Module\nTotal;4.0;0;\n main;4.0;0.5;app\n  "
      "load;3.0;1.0;app\n   parse;2.0;2.0;app\n  step;0.5;0.5;app\n");
  const model::Profile with_total = read(
      "Function Stack;CPU Time:Total;Module\nTotal;4,0;\n main;4,0;app\n  "
      "load;3,0;app\n   parse;2,0;app\n  step;0,5;app\n");
  for (const model::Profile* p : {&with_self, &with_total}) {
    ASSERT_EQ(p->samples.size(), 4U);
    EXPECT_EQ(weight_of(*p, "cpu_time"), 4000000000);
    std::vector<std::string> stacks;
    for (std::size_t i = 0; i < 4; ++i) {
      stacks.push_back(stack_words(*p, i) + " " + std::to_string(p->samples.weight[i] / 1000000));
    }
    std::sort(stacks.begin(), stacks.end());
    EXPECT_EQ(stacks, (std::vector<std::string>{"load < main 1000", "main 500",
                                                "parse < load < main 2000", "step < main 500"}));
  }
}

TEST(VtuneCsv, CallersBelowAFunctionAreItsStack) {
  const model::Profile p = read(
      "Function/Call Stack\tCPU Time\tModule\nparse\t3.0\tapp\n  load\t2.0\tapp\n    "
      "main\t2.0\tapp\n  check\t1.0\tapp\nstep\t1.0\tapp\n");
  std::vector<std::string> stacks;
  for (std::size_t i = 0; i < p.samples.size(); ++i) {
    stacks.push_back(stack_words(p, i) + " " + std::to_string(p.samples.weight[i] / 1000000));
  }
  std::sort(stacks.begin(), stacks.end());
  EXPECT_EQ(stacks, (std::vector<std::string>{"parse < check 1000", "parse < load < main 2000",
                                              "step 1000"}));
}

TEST(VtuneCsv, ThreadsAreTracks) {
  const model::Profile p = read(
      "Thread,Process,Function,CPU Time,Module\nloader (TID: 77),python (PID: "
      "70),parse,1.5,app\nmain,python (PID: 70),step,0.5,app\n");
  ASSERT_EQ(p.samples.size(), 2U);
  ASSERT_EQ(p.threads.size(), 1U);
  EXPECT_EQ(p.threads[0].tid, 77);
  EXPECT_EQ(p.text(p.threads[0].name), "loader");
  EXPECT_EQ(p.processes[0].pid, 70);
}

TEST(VtuneCsv, NumbersOfEveryLocale) {
  EXPECT_EQ(vtune::seconds_cell("0.250"), 250000000);
  EXPECT_EQ(vtune::seconds_cell("0,250"), 250000000);
  EXPECT_EQ(vtune::seconds_cell("1,234.5s"), 1234500000000);
  EXPECT_FALSE(vtune::seconds_cell("n/a"));
  EXPECT_FALSE(vtune::seconds_cell("-1"));
  EXPECT_FALSE(vtune::seconds_cell("1e300"));
  EXPECT_EQ(vtune::count_cell("6,410,000"), 6410000);
  EXPECT_EQ(vtune::count_cell("6 410 000"), 6410000);
  EXPECT_FALSE(vtune::count_cell("6,41"));
  EXPECT_FALSE(vtune::count_cell("99999999999999999999"));
}

TEST(VtuneCsv, RowsThatDoNotFitAreCounted) {
  const model::Profile p = read("Function,CPU Time,Module\nf,1.0,a\nonly one\ng,many,a\nh,1.0,a\n");
  EXPECT_EQ(p.samples.size(), 2U);
  EXPECT_EQ(p.hygiene.count("unreadable_lines"), 2);
  EXPECT_EQ(p.hygiene.count("unreadable_numbers"), 1);
  EXPECT_FALSE(import_sniffed("Function,CPU Time,Module\n"));
  EXPECT_FALSE(import_sniffed("Kernel Name,Metric Name,Metric Value\nk,DRAM,1\n"));
}

TEST(VtuneCsv, DamageIsReadOrRefused) {
  std::string tree = "Function Stack,CPU Time:Total,CPU Time:Self,Module\n";
  for (int i = 0; i < 200; ++i) {
    tree += std::string(static_cast<std::size_t>(i % 9), ' ') + "f" + std::to_string(i) + "," +
            std::to_string(i) + ".5,0." + std::to_string(i) + ",app\n";
  }
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text =
        rooflab::testing::mutated_text(seed % 2 == 0 ? kHotspots : tree, seed, ",;\t\"\n .-019e");
    rooflab::testing::expect_read_or_refused(import_sniffed(text), seed);
  }
}

}  // namespace
}  // namespace rooflab::importers
