// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <gtest/gtest.h>

#include <random>

namespace rooflab::compare {
namespace {

std::vector<double> noisy(double mean, double spread, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(mean, spread);
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(noise(random));
  return out;
}

TEST(Noise, OfUnitsThatDoNotChange) {
  const Change c = change_of({100, 100, 100, 100}, {80, 80, 80, 80}, 1);
  EXPECT_TRUE(c.known);
  EXPECT_DOUBLE_EQ(c.ratio, 0.8);
  EXPECT_DOUBLE_EQ(c.low, 0.8);
  EXPECT_DOUBLE_EQ(c.high, 0.8);
  EXPECT_EQ(direction_of(c, 0.01), Direction::kLess);
  EXPECT_EQ(direction_of(c, 0.3), Direction::kSame);
}

TEST(Noise, FewUnitsTellNothing) {
  const Change c = change_of({100, 100, 100}, {50, 50, 50, 50}, 1);
  EXPECT_FALSE(c.known);
  EXPECT_DOUBLE_EQ(c.ratio, 0.5);
  EXPECT_EQ(direction_of(c, 0.01), Direction::kUnclear);
  EXPECT_FALSE(change_of({}, {}, 1).known);
  EXPECT_FALSE(change_of({0, 0, 0, 0}, {1, 1, 1, 1}, 1).known);
}

// The same program twice: no difference may be claimed in more than a tenth of the cases.
TEST(Noise, AgainstItselfClaimsRarely) {
  int claims = 0;
  for (unsigned i = 0; i < 200; ++i) {
    const Change c = change_of(noisy(100, 5, 20, 2 * i), noisy(100, 5, 20, 2 * i + 1), 1);
    const Direction d = direction_of(c, 0.01);
    claims += d == Direction::kLess || d == Direction::kMore ? 1 : 0;
  }
  EXPECT_LE(claims, 20);
}

TEST(Noise, FindsATenthOverTheNoise) {
  int found = 0;
  for (unsigned i = 0; i < 100; ++i) {
    const Change c = change_of(noisy(100, 5, 20, 2 * i), noisy(110, 5, 20, 2 * i + 1), 1);
    found += direction_of(c, 0.01) == Direction::kMore ? 1 : 0;
  }
  EXPECT_GE(found, 95);
}

// Four units make one burst: single units drawn again would hide how few bursts there are.
TEST(Noise, BurstsAreDrawnWhole) {
  std::vector<double> bursts;
  for (const double last : {55.0, 57.0, 54.0, 90.0, 56.0}) {
    bursts.insert(bursts.end(), {2, 2, 2, last});
  }
  const std::vector<double> other(20, 16.0);
  const Change single = change_of(bursts, other, 1);
  const Change whole = change_of(bursts, other, 4);
  EXPECT_LT(whole.high - whole.low, single.high - single.low);  // each burst has its one long unit
  EXPECT_DOUBLE_EQ(whole.ratio, single.ratio);
}

TEST(Noise, IsTheSameInEveryRun) {
  const auto a = noisy(100, 5, 20, 1), b = noisy(103, 5, 20, 2);
  EXPECT_EQ(change_of(a, b, 1).low, change_of(a, b, 1).low);
}

}  // namespace
}  // namespace rooflab::compare
