// SPDX-License-Identifier: Apache-2.0
#include "compare/noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace rooflab::compare {
namespace {

constexpr std::size_t kDraws = 2000;
constexpr double kTail = 0.025;

// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % n);
  }

 private:
  std::uint64_t state_;
};

double mean(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

// Blocks wrap around the end, so that every unit is as likely to be drawn.
double drawn_mean(const std::vector<double>& values, std::size_t block, Random& random) {
  double sum = 0;
  for (std::size_t filled = 0; filled < values.size();) {
    const std::size_t start = random.below(values.size());
    for (std::size_t i = 0; i < block && filled < values.size(); ++i, ++filled) {
      sum += values[(start + i) % values.size()];
    }
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

Change change_of(const std::vector<double>& before, const std::vector<double>& after,
                 double block) {
  Change c;
  c.before = mean(before);
  c.after = mean(after);
  if (!(c.before > 0)) return c;
  c.ratio = c.low = c.high = c.after / c.before;
  if (std::min(before.size(), after.size()) < kLeastUnits) return c;
  // A cube root of the sample is the usual length where no burst asks for more.
  const auto length = [&](std::size_t n) {
    const double root = std::cbrt(static_cast<double>(n));
    const double most = static_cast<double>(n) / 2;
    return static_cast<std::size_t>(std::clamp(std::ceil(std::max(block, root)), 1.0, most));
  };
  const std::size_t block_before = length(before.size()), block_after = length(after.size());
  Random random(1);
  std::vector<double> ratios;
  ratios.reserve(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double a = drawn_mean(before, block_before, random);
    const double b = drawn_mean(after, block_after, random);
    if (a > 0) ratios.push_back(b / a);
  }
  if (ratios.empty()) return c;
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double q) {
    return ratios[static_cast<std::size_t>(q * static_cast<double>(ratios.size() - 1))];
  };
  c.low = at(kTail);
  c.high = at(1 - kTail);
  c.known = true;
  return c;
}

Direction direction_of(const Change& change, double least) {
  if (!change.known) return Direction::kUnclear;
  if (change.high < 1 - least) return Direction::kLess;
  if (change.low > 1 + least) return Direction::kMore;
  if (change.low >= 1 - least && change.high <= 1 + least) return Direction::kSame;
  return Direction::kUnclear;
}

}  // namespace rooflab::compare
