// SPDX-License-Identifier: Apache-2.0
// Re-times a graph under a scenario: one pass over the anchors in recorded order.
//
//   call begin  = end of the anchor before + the host time between them
//   work start  = latest of: issue + dispatch, stream's previous end + gap, awaited work's end +
//   gap wait's end  = latest of: begin + own cost, awaited work's end + return latency
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "graph/scenario.h"

namespace rooflab::graph {

struct Timing {
  double step_ns = 0;     // mean device step; without units the length of the window's work
  std::size_t steps = 0;  // how many
  std::vector<std::int64_t> work_start;    // by work row
  std::vector<std::int64_t> anchor_begin;  // by anchor
};

[[nodiscard]] Timing simulate(const Graph& graph, const Scenario& scenario);
// The same figure from the recorded times.
[[nodiscard]] double recorded_step_ns(const Graph& graph);

}  // namespace rooflab::graph
