// SPDX-License-Identifier: Apache-2.0
// Interval sets against the plainest model of them: which of the moments 0..63 they hold.
#include "analysis/intervals.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bitset>
#include <limits>
#include <utility>
#include <vector>

namespace rooflab::analysis {
namespace {

using Moments = std::bitset<64>;

Interval make(std::int64_t start, std::int64_t end) { return {Nanos(start), Nanos(end)}; }

Moments moments(const Intervals& intervals) {
  Moments held;
  for (const Interval& i : intervals)
    for (std::int64_t t = i.start.value; t < i.end.value; ++t)
      held.set(static_cast<std::size_t>(t));
  return held;
}

Intervals some() {
  const auto bounds = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 64), rc::gen::inRange(0, 64)));
  Intervals any;
  for (const auto& [a, b] : bounds) any.push_back(make(a, b));
  return any;
}

bool is_normal(const Intervals& intervals) {
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].start >= intervals[i].end) return false;
    if (i > 0 && intervals[i].start <= intervals[i - 1].end) return false;
  }
  return true;
}

RC_GTEST_PROP(Intervals, OperationsAreSetOperations, ()) {
  const Intervals raw_a = some();
  const Intervals raw_b = some();
  const Intervals a = unite(raw_a);
  const Intervals b = unite(raw_b);
  RC_ASSERT(is_normal(a));
  RC_ASSERT(moments(a) == moments(raw_a));
  RC_ASSERT(is_normal(intersect(a, b)));
  RC_ASSERT(moments(intersect(a, b)) == (moments(a) & moments(b)));
  RC_ASSERT(is_normal(subtract(a, b)));
  RC_ASSERT(moments(subtract(a, b)) == (moments(a) & ~moments(b)));
  RC_ASSERT(total_length(a).value == static_cast<std::int64_t>(moments(a).count()));
}

RC_GTEST_PROP(Intervals, LengthInsideIsTheIntersections, ()) {
  const Intervals a = unite(some());
  const Interval window = make(*rc::gen::inRange(0, 64), *rc::gen::inRange(0, 64));
  RC_ASSERT(length_inside(a, window) == total_length(intersect(a, unite({window}))));
}

TEST(Intervals, TouchingOnesAreOne) {
  EXPECT_EQ(unite({make(5, 9), make(0, 5)}), Intervals{make(0, 9)});
}

TEST(Intervals, EmptyAndReversedOnesHoldNoTime) {
  EXPECT_TRUE(unite({make(3, 3), make(9, 2)}).empty());
  EXPECT_EQ(length(make(9, 2)), Nanos(0));
}

TEST(Intervals, LengthsHoldAtTheLimits) {
  const Interval all{kNanosMin, kNanosMax};
  EXPECT_EQ(length(all), kNanosMax);
  EXPECT_EQ(total_length({all, all}), kNanosMax);
  EXPECT_EQ(length_inside({all}, all), kNanosMax);
}

}  // namespace
}  // namespace rooflab::analysis
