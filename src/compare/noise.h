// SPDX-License-Identifier: Apache-2.0
// What a figure of repeated units of work changed by, with the noise that the units themselves
// show.
//
// Units are not independent: they come in bursts, and a host slows down for a while. Whole blocks
// of neighbours are drawn again (moving-block bootstrap, 95 %), each at least a burst long. The
// interval is of the ratio of means, since the mean over whole bursts is what a user waits for.
// Deterministic: the draws are the same in every run.
//
//   change_of({100, 101, 99, 100}, {92, 91, 93, 92}, 1).ratio    0.92
#pragma once

#include <vector>

namespace rooflab::compare {

struct Change {
  double before = 0, after = 0;  // means
  double ratio = 1;              // after / before
  double low = 1, high = 1;      // of the ratio, 95 %
  bool known = false;            // both sides have units enough to say how noisy they are
};

// Fewer units a side tell nothing of their noise.
constexpr std::size_t kLeastUnits = 4;

// `block`: units in a burst, the larger of both sides; at least 1.
[[nodiscard]] Change change_of(const std::vector<double>& before, const std::vector<double>& after,
                               double block);

enum class Direction { kLess, kSame, kMore, kUnclear };
// kLess and kMore: the whole interval lies beyond `least` (0.01 = 1 %); kSame: all of it within;
// kUnclear: noise is wider than what is asked, or not known.
[[nodiscard]] Direction direction_of(const Change& change, double least);

}  // namespace rooflab::compare
