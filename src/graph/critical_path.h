// SPDX-License-Identifier: Apache-2.0
// The chain of times that made the steps as long as they are: from the end of the last step back
// to the begin of the first, at each moment along what the next thing had waited for.
//
// It is of the re-timed run, which is the recorded one to within the reproduction error. Its pieces
// are gapless and add up to the length of the steps exactly.
//
//   Bindings bindings;
//   const Scenario scenario = as_recorded(graph);
//   const Timing timing = simulate(graph, scenario, &bindings);
//   const CriticalPath path = critical_path(graph, scenario, timing, bindings);
#pragma once

#include <cstdint>
#include <vector>

#include "graph/simulate.h"

namespace rooflab::graph {

enum class PathKind : std::uint8_t {
  kHost,      // host time between calls: `part`
  kCall,      // a call's own cost: `anchor`
  kDispatch,  // from the hand-over to the start of `work`
  kGap,       // from the end of a work to the start of `work` behind it
  kCross,     // the same across streams
  kWork,      // `work` runs
  kReturn,    // from the end of the work waited for to the return of the call `anchor`
  kBefore,    // before anything that the file links to the steps
};

struct PathStep {
  PathKind kind = PathKind::kBefore;
  std::int64_t begin = 0, end = 0;
  std::uint32_t anchor = kNoAnchor;  // kCall, kReturn; kHost: the anchor that it came before
  std::uint32_t part = 0;            // kHost
  model::WorkId work = {};           // kDispatch, kGap, kCross, kWork
};

struct CriticalPath {
  std::vector<PathStep> steps;  // in order of time
  std::int64_t begin = 0, end = 0;
};

// Empty where the window holds no device work.
[[nodiscard]] CriticalPath critical_path(const Graph& graph, const Scenario& scenario,
                                         const Timing& timing, const Bindings& bindings);
// Of the graph as recorded.
[[nodiscard]] CriticalPath recorded_critical_path(const Graph& graph);
// Share of the path that is host time taken over from the recording: parts and calls.
[[nodiscard]] double recorded_host_ratio(const CriticalPath& path);

}  // namespace rooflab::graph
