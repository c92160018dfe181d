// SPDX-License-Identifier: Apache-2.0
#include "cli/filters.h"

#include <gtest/gtest.h>

namespace rooflab::cli {
namespace {

analysis::Selection selected(const Filters& filters) {
  const auto selection = selection_of(filters, Config{});
  EXPECT_TRUE(selection) << (selection ? "" : selection.error().message);
  return selection ? *selection : analysis::Selection{};
}

ErrorCode refused(const Filters& filters) {
  const auto selection = selection_of(filters, Config{});
  EXPECT_FALSE(selection);
  return selection ? ErrorCode::kOutput : selection.error().code;
}

TEST(Filters, TimesNeedAUnit) {
  EXPECT_EQ(parse_time("10ms")->value, 10'000'000);
  EXPECT_EQ(parse_time("1.5s")->value, 1'500'000'000);
  EXPECT_EQ(parse_time("250us")->value, 250'000);
  EXPECT_EQ(parse_time("7ns")->value, 7);
  EXPECT_EQ(parse_time("0")->value, 0);
  EXPECT_EQ(parse_time("0ms")->value, 0);
  for (const char* bad : {"10", "", "ms", "1e30s", "nans", "-1ms", "10 ms", "10m"})
    EXPECT_FALSE(parse_time(bad)) << bad;
}

TEST(Filters, StepsAreARangeOrOneStep) {
  Filters f;
  f.steps = "2-5";
  EXPECT_EQ(selected(f).steps, std::pair(std::int64_t{2}, std::int64_t{5}));
  f.steps = "3";
  EXPECT_EQ(selected(f).steps, std::pair(std::int64_t{3}, std::int64_t{3}));
  for (const char* bad : {"5-2", "a-b", "1-", "-3", "1-2-3", "99999999999999999999"}) {
    f.steps = bad;
    EXPECT_EQ(refused(f), ErrorCode::kUsage) << bad;
  }
}

TEST(Filters, WindowsAndPatternsAreChecked) {
  Filters f;
  f.window = "10ms:1.5s";
  EXPECT_EQ(selected(f).window, std::pair(Nanos(10'000'000), Nanos(1'500'000'000)));
  f.window = "2s:1s";
  EXPECT_EQ(refused(f), ErrorCode::kUsage);
  f.window = "";
  f.name = "gemm|conv";
  EXPECT_EQ(selected(f).name, "gemm|conv");
  f.name = "(";
  EXPECT_EQ(refused(f), ErrorCode::kUsage);
}

TEST(Filters, OnlyOneOfThemChoosesTheWindow) {
  Filters f;
  f.steps = "1-2";
  f.window = "0:5ms";
  EXPECT_EQ(refused(f), ErrorCode::kUsage);
  f.window = "";
  f.skip_first = 1;
  EXPECT_EQ(refused(f), ErrorCode::kUsage);
  f.steps = "";
  EXPECT_EQ(selected(f).skip_first, 1);
  f.rank = 3;
  f.stream = 7;
  EXPECT_EQ(filters_given(f), (std::vector<std::string>{"--skip-first", "--stream"}));
}

}  // namespace
}  // namespace rooflab::cli
