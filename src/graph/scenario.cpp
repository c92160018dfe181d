// SPDX-License-Identifier: Apache-2.0
#include "graph/scenario.h"

#include <algorithm>

namespace rooflab::graph {

Scenario as_recorded(const Graph& graph) {
  const model::WorkTable& work = graph.analysis->profile->work;
  Scenario s;
  s.part_ns.reserve(graph.parts.size());
  for (const HostPart& part : graph.parts) s.part_ns.push_back(part.ns);
  s.call_ns.reserve(graph.anchor_count());
  s.waits.reserve(graph.anchor_count());
  for (std::size_t i = 0; i < graph.anchor_count(); ++i) {
    const Anchor& a = graph.anchors[i];
    // What a call costs when nothing is to be waited for is not in the record: a launch's cost.
    const std::int64_t own = a.end - a.begin;
    s.call_ns.push_back(a.wait == Wait::kNone ? own : std::min(own, graph.launch_call_median_ns));
    s.waits.push_back(a.wait == Wait::kNone ? 0 : 1);
  }
  s.work_ns = work.duration;
  s.work_state.assign(work.size(), WorkState::kAsRecorded);
  s.latencies = graph.latencies;
  return s;
}

}  // namespace rooflab::graph
