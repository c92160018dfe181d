// SPDX-License-Identifier: Apache-2.0
// Periods of kernel sequences, and sequences that have none.
#include "analysis/kernel_period.h"

#include <gtest/gtest.h>

#include <string_view>

#include "analysis/bursts.h"

namespace rooflab::analysis {
namespace {

using Starts = std::vector<std::size_t>;

// Letters are names; a space is a pause before the next item.
std::vector<SequenceItem> items(std::string_view text) {
  std::vector<SequenceItem> out;
  std::int64_t gap = 1;
  for (const char c : text) {
    if (c == ' ') {
      gap = 100;
      continue;
    }
    out.push_back({static_cast<std::uint32_t>(c), gap});
    gap = 1;
  }
  return out;
}

TEST(KernelPeriod, UnitsBeginAfterThePause) {
  EXPECT_EQ(find_period_starts(items("cd abcd abcd abcd ab")), (Starts{2, 6, 10, 14}));
}

TEST(KernelPeriod, LayersInsideAStepAreNotTheStep) {
  EXPECT_EQ(find_period_starts(items("exyxyxyo exyxyxyo exyxyxyo exyxyxyo")),
            (Starts{0, 8, 16, 24}));
}

TEST(KernelPeriod, WithoutANameThatOccursOnceTheLargestGapsDecide) {
  EXPECT_EQ(find_period_starts(items("aabb aabb aabb aabb")), (Starts{0, 4, 8, 12}));
}

TEST(KernelPeriod, SomeSequencesHaveNone) {
  EXPECT_EQ(find_period_starts({}), Starts{});
  EXPECT_EQ(find_period_starts(items("aaaaaaaaaaaa")), Starts{});  // one name: no structure
  EXPECT_EQ(find_period_starts(items("abcdefghijkl")), Starts{});
  EXPECT_EQ(find_period_starts(items("abc abc")), Starts{});  // twice is no rhythm
  EXPECT_EQ(find_period_starts(items("abacbdcabdacbbadcdabca")), Starts{});
}

TEST(Bursts, PeriodIsTheMeanDistanceOfLongUnits) {
  const Bursts bursts = find_bursts({2, 2, 2, 55, 2, 2, 2, 57, 2, 2, 2, 54});
  EXPECT_DOUBLE_EQ(bursts.period_units, 4.0);
  EXPECT_EQ(bursts.count, 3U);
}

TEST(Bursts, AdjacentLongUnitsAreOne) {
  EXPECT_DOUBLE_EQ(find_bursts({2, 2, 2, 2, 55, 30, 2, 2, 2, 57, 40, 2, 2}).period_units, 5.0);
}

TEST(Bursts, EvenUnitsAndHiccupsAreNone) {
  EXPECT_DOUBLE_EQ(find_bursts({50, 52, 49, 51}).period_units, 1.0);
  EXPECT_DOUBLE_EQ(find_bursts({}).period_units, 1.0);
  std::vector<std::int64_t> hiccups(100, 10);
  hiccups[20] = hiccups[70] = 35;
  EXPECT_DOUBLE_EQ(find_bursts(hiccups).period_units, 1.0);
}

}  // namespace
}  // namespace rooflab::analysis
