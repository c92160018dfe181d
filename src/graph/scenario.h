// SPDX-License-Identifier: Apache-2.0
// What a simulation is fed: every duration and dependency of a graph that a change may edit.
//
// Edits compose: each change works on the scenario the one before it left.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace rooflab::graph {

enum class WorkState : std::uint8_t {
  kAsRecorded,
  kGone,       // fused into another work, or no longer needed: no time, no launch
  kGraphNode,  // follows its stream's previous work as a node of one graph launch
  kHidden,     // moved to a stream of its own (an overlapped copy): waits for its launch only, and
               // delays nothing but who depends on it
};

struct Scenario {
  std::vector<std::int64_t> part_ns;  // by HostPart
  std::vector<std::int64_t> call_ns;  // by anchor: the call's own cost, its waiting left out
  std::vector<std::uint8_t> waits;    // by anchor: 0 = does not wait (any more)
  std::vector<std::int64_t> work_ns;  // by work row
  std::vector<WorkState> work_state;  // by work row
  Latencies latencies;
  double replay_gap_ns = 0;  // before a kGraphNode
};

[[nodiscard]] Scenario as_recorded(const Graph& graph);

}  // namespace rooflab::graph
