// SPDX-License-Identifier: Apache-2.0
// The rank that all others wait for, if one is late beyond what recording could have made it.
//
// Recording slows every rank's host, and not equally: a rank may arrive last only because of it
// (tests/data/h200/ddp/balanced: rank 0 is last in every recorded step). So from the waiting that a
// rank causes, what the recorder may have cost its own host is taken off before it is judged.
#pragma once

#include <optional>
#include <string>

#include "analysis/rank_comparison.h"

namespace rooflab::graph {

// Last in this share of the steps, and waited for at least this share of a step, recorder's cost
// taken off.
constexpr double kLeastStepsLast = 0.75;
constexpr double kLeastWait = 0.05;

struct LateRank {
  std::size_t place = 0;
  std::int64_t rank = 0;
  double wait_ns = 0;      // a step: what the others wait for it
  double recorder_ns = 0;  // a step: what recording may have cost its host
  bool on_device = false;  // its device work is what is longer, not its host's
};

// Without the other ranks' files: none.
[[nodiscard]] std::optional<LateRank> late_rank(const analysis::Analysis& analysis);

}  // namespace rooflab::graph
