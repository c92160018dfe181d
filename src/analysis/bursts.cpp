// SPDX-License-Identifier: Apache-2.0
// Counts long units and the distances between them.
#include "analysis/bursts.h"

#include <algorithm>

namespace rooflab::analysis {
namespace {

// Long units are far beyond noise: on the H200 loader recordings they take 15 to 50 times the
// median, while units of runs without bursts stay below 2 times.
constexpr double kLongFactor = 3.0;
// Bursts matter when the long units take a good part of the time; a hiccup now and then is no
// burst.
constexpr double kMinLongShare = 0.2;

}  // namespace

Bursts find_bursts(const std::vector<std::int64_t>& durations) {
  Bursts out;
  if (durations.size() < 3) return out;
  std::vector<std::int64_t> sorted = durations;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double limit = kLongFactor * static_cast<double>(*middle);
  double total = 0, in_long = 0;
  std::vector<std::size_t> ends;
  bool was_long = false;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const auto duration = static_cast<double>(durations[i]);
    const bool is_long = duration > limit;
    total += duration;
    if (is_long) in_long += duration;
    if (is_long && !was_long) ends.push_back(i);
    was_long = is_long;
  }
  out.long_share = total > 0 ? in_long / total : 0;
  out.count = ends.size();
  if (ends.size() >= 2 && out.long_share >= kMinLongShare) {
    out.period_units =
        static_cast<double>(ends.back() - ends.front()) / static_cast<double>(ends.size() - 1);
  }
  return out;
}

}  // namespace rooflab::analysis
