// SPDX-License-Identifier: Apache-2.0
// How the ranks of one job differ: who arrives last at the collectives, how long the others wait
// for it, and what its host and device do longer than theirs.
//
// A rank is blamed by arrival, clocks aligned, never by how long its own collectives take: the rank
// that comes last has the shortest ones.
//
//   const RankComparison ranks = compare_ranks({&rank0, &rank1});
//   ranks.ranks[ranks.last].steps_last    of ranks.steps
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/host_owner.h"

namespace rooflab::analysis {

// Host time of one kind and name, a step.
struct Activity {
  HostClass host_class = HostClass::kUnknown;
  std::string label;                  // "slow_augment"; empty for classes without a name
  double own_ns = 0, typical_ns = 0;  // on the last rank; the median of the others
  [[nodiscard]] double excess_ns() const { return own_ns - typical_ns; }
};

struct RankShare {
  std::size_t steps_last = 0;  // steps in which the others waited longest for this rank
  double waited_ns = 0;        // a step, in collectives, for any other rank
  double caused_ns = 0;        // a step: what the others waited for this rank, their mean
  double records = 0;          // host records a step, on threads that launch work
};

struct RankComparison {
  std::vector<const Analysis*> analyses;  // by place
  std::vector<RankShare> ranks;           // by place
  std::size_t steps = 0;
  std::size_t last = 0;          // the place of the rank that caused most waiting
  std::vector<Activity> excess;  // of that rank, largest first; only what is longer there
  // Device work a step without collectives.
  double device_own_ns = 0, device_typical_ns = 0;
};

// All of one job, by place; they must outlive the result.
[[nodiscard]] RankComparison compare_ranks(const std::vector<const Analysis*>& analyses);

}  // namespace rooflab::analysis
