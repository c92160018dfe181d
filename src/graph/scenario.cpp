// SPDX-License-Identifier: Apache-2.0
#include "graph/scenario.h"

#include <algorithm>

namespace rooflab::graph {

namespace {

// What a waiting call costs when nothing is to be waited for is not in the record: a launch's cost;
// for a copy the time until it was handed over.
std::int64_t own_cost(const Graph& graph, const Anchor& a) {
  const std::int64_t whole = a.end - a.begin;
  if (a.wait == Wait::kNone) return whole;
  if (a.wait == Wait::kOwnWork) return a.issue_ns;
  return std::min(whole, graph.launch_call_median_ns);
}

}  // namespace

Scenario as_recorded(const Graph& graph) {
  const model::WorkTable& work = graph.analysis->profile->work;
  Scenario s;
  s.part_ns.reserve(graph.parts.size());
  for (const HostPart& part : graph.parts) s.part_ns.push_back(part.ns);
  s.call_ns.reserve(graph.anchor_count());
  s.waits.reserve(graph.anchor_count());
  for (std::size_t i = 0; i < graph.anchor_count(); ++i) {
    const Anchor& a = graph.anchors[i];
    s.call_ns.push_back(own_cost(graph, a));
    s.waits.push_back(a.wait == Wait::kNone ? 0 : 1);
  }
  s.work_ns = work.duration;
  s.work_state.assign(work.size(), WorkState::kAsRecorded);
  s.latencies = graph.latencies;
  return s;
}

}  // namespace rooflab::graph
