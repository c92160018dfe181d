// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/text.h"

namespace rooflab::report {
namespace {

Table sample() {
  Table t;
  t.id = "kernel";
  t.title = "Kernels";
  t.columns = {{"name", "kernel", Unit::kText},
               {"sum_ns", "time", Unit::kNanos},
               {"ratio", "share", Unit::kRatio}};
  t.rows = {{std::string("gemm, \"big\""), std::int64_t{1'500'000}, 0.75},
            {std::string("add"), std::int64_t{500}, {}}};
  t.notes = {"a note"};
  return t;
}

TEST(Table, TerminalAlignsNumbersRight) {
  EXPECT_EQ(to_terminal(sample(), Style{}),
            "Kernels\n"
            "kernel          time   share\n"
            "gemm, \"big\"  1.50 ms  75.0 %\n"
            "add           500 ns       -\n"
            "a note\n");
}

TEST(Table, CsvIsExactAndQuoted) {
  EXPECT_EQ(to_csv(sample()), "name,sum_ns,ratio\n\"gemm, \"\"big\"\"\",1500000,0.75\nadd,500,\n");
}

TEST(Table, JsonKeepsTypesAndNulls) {
  const Json json = to_json(sample());
  EXPECT_EQ(json["rows"][0]["sum_ns"], 1500000);
  EXPECT_EQ(json["rows"][0]["ratio"], 0.75);
  EXPECT_TRUE(json["rows"][1]["ratio"].is_null());
}

TEST(Table, MarkdownEscapesMarkup) {
  Table t = sample();
  t.rows[1][0] = std::string("a|b<script>");
  const std::string text = to_markdown(t);
  EXPECT_NE(text.find("| a\\|b\\<script> | 500 ns | - |"), std::string::npos) << text;
}

TEST(Table, LongNamesGiveWayToThePage) {
  Table t = sample();
  t.rows[0][0] = std::string(300, 'x');
  Style narrow;
  narrow.width = 60;
  std::istringstream lines(to_terminal(t, narrow));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 60) << line;
}

TEST(Table, FullNamesAreNotCut) {
  Table t = sample();
  t.rows[0][0] = std::string(300, 'x');
  Style full;
  full.full_names = true;
  EXPECT_NE(to_terminal(t, full).find(std::string(300, 'x')), std::string::npos);
}

TEST(Table, HostileNamesAreEscapedOnTheTerminalAndValidInJson) {
  Table t = sample();
  t.rows[0][0] = std::string("\x1b]0;title\x07\xff");
  EXPECT_EQ(to_terminal(t, Style{}).find('\x1b'), std::string::npos);
  EXPECT_TRUE(Json::accept(to_text(to_json(t))));
}

TEST(Table, AShortRowIsPadded) {
  Table t = sample();
  t.rows.push_back({std::string("short")});
  EXPECT_NE(to_csv(t).find("short,,\n"), std::string::npos);
}

}  // namespace
}  // namespace rooflab::report
