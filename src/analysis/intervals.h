// SPDX-License-Identifier: Apache-2.0
// Set operations over stretches of time: half-open [start, end).
//
// `Intervals` that come out of here are sorted, disjoint and do not touch, and so must those that
// go into `intersect` and `subtract`; `unite` takes any. Empty and reversed stretches hold no time
// and vanish. Every operation is one linear pass (unite sorts first if it must); no arithmetic
// overflows, whatever the times.
//
//   const Intervals busy = unite(std::move(kernels));
//   const Nanos exposed = total_length(subtract(copies, busy));
#pragma once

#include <vector>

#include "base/units.h"

namespace rooflab::analysis {

struct Interval {
  Nanos start, end;
  bool operator==(const Interval&) const = default;
};
using Intervals = std::vector<Interval>;

[[nodiscard]] Intervals unite(Intervals any);
[[nodiscard]] Intervals intersect(const Intervals& a, const Intervals& b);
// What of `a` is not in `b`.
[[nodiscard]] Intervals subtract(const Intervals& a, const Intervals& b);

// end - start, 0 for reversed ones, held at the limits of int64.
[[nodiscard]] Nanos length(const Interval& interval);
[[nodiscard]] Nanos total_length(const Intervals& intervals);
// How much of them lies in `window`. O(log n + stretches inside).
[[nodiscard]] Nanos length_inside(const Intervals& intervals, const Interval& window);

}  // namespace rooflab::analysis
