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
  std::int64_t begin = 0, end = 0;  // of the steps: `steps` of them, but for engine_ns
  // What of step_ns is left when everything else is done: hidden copies (or collectives: `engine`
  // is kNone) that need longer than the step.
  double engine_ns = 0;
  model::CopyDirection engine = model::CopyDirection::kNone;
  std::vector<std::int64_t> work_start;    // by work row
  std::vector<std::int64_t> anchor_begin;  // by anchor
};

// What the start of a work was held up by.
enum class Holder : std::uint8_t {
  kNothing,  // a stream that no work came before
  kLaunch,   // its launch call
  kStream,   // the work before it on its stream
  kWork,     // work on another stream that it depends on
  kEngine,   // hidden work before it on the same engine
};

// Why each time is what it is, recorded where asked for.
struct Bindings {
  std::vector<Holder> holder;            // by work row
  std::vector<model::WorkId> after;      // by work row: of kStream, kWork and kEngine
  std::vector<std::int64_t> issue;       // by anchor: when its first work was handed over
  std::vector<std::int64_t> anchor_end;  // by anchor
  std::vector<std::uint8_t> waited;      // by anchor: its end is that of the work it waited for
};

[[nodiscard]] Timing simulate(const Graph& graph, const Scenario& scenario,
                              Bindings* bindings = nullptr);
// The same figure from the recorded times.
[[nodiscard]] double recorded_step_ns(const Graph& graph);

}  // namespace rooflab::graph
