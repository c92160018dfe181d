// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/device_sweep.h"
#include "graph/device_order.h"
#include "graph/graph.h"
#include "graph/host_order.h"
#include "graph/latencies.h"

namespace rooflab::graph {
namespace {

using model::WorkId;

std::int64_t launch_call_median(const Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  std::vector<std::int64_t> calls;
  for (std::uint32_t i = 0; i + 1 < g.anchors.size(); ++i) {
    const Anchor& a = g.anchors[i];
    if (!a.span.valid() || a.wait != Wait::kNone || a.first_work == g.anchors[i + 1].first_work) {
      continue;
    }
    if (p.work.kind[g.works_of_anchor[a.first_work].row] == model::WorkKind::kKernel) {
      calls.push_back(a.end - a.begin);
    }
  }
  if (calls.empty()) return 0;
  const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(calls.size() / 2);
  std::nth_element(calls.begin(), middle, calls.end());
  return *middle;
}

// The work that starts at `time` on the device of the units, or the first one after it.
WorkId work_at(const model::Profile& p, const std::vector<WorkId>& rows, std::int64_t time) {
  const auto it = std::lower_bound(rows.begin(), rows.end(), time, [&](WorkId w, std::int64_t t) {
    return p.work.start[w.row] < t;
  });
  return it == rows.end() ? WorkId() : *it;
}

// Steps are timed from the works that start them; without units the window's first and last work.
void find_steps(Graph& g) {
  const analysis::Analysis& a = *g.analysis;
  const model::Profile& p = *a.profile;
  std::vector<WorkId> rows;
  for (const std::vector<WorkId>& device : analysis::work_by_device(p, {})) {
    const bool timed = !a.units.device.valid() || a.window.unit_count == 0 ||
                       (!device.empty() && p.device_of(device[0].row) == a.units.device);
    if (timed) rows.insert(rows.end(), device.begin(), device.end());
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](WorkId x, WorkId y) { return p.work.start[x.row] < p.work.start[y.row]; });
  if (a.window.unit_count > 0) {
    for (std::size_t u = 0; u <= a.window.unit_count; ++u) {
      const std::size_t index = a.window.first_unit + u;
      if (index >= a.units.units.size() || !a.units.units[index].has_device) continue;
      const WorkId first = work_at(p, rows, a.units.units[index].device_start.value);
      if (first.valid()) g.unit_starts.push_back(first);
    }
    if (g.unit_starts.size() >= 2) return;
    g.unit_starts.clear();
  }
  for (const WorkId w : rows) {
    const std::int64_t start = p.work.start[w.row];
    if (start < a.window.start.value || start >= a.window.end.value) continue;
    if (g.unit_starts.empty()) g.unit_starts.push_back(w);
    if (!g.ends.valid() || p.work.end(w.row) > p.work.end(g.ends.row)) g.ends = w;
  }
}

}  // namespace

Graph build_graph(const analysis::Analysis& analysis) {
  Graph g;
  g.analysis = &analysis;
  const HostOrder host = order_host(analysis, g);
  place_works(host, g);
  find_waits(g);
  measure_latencies(g);
  find_dependencies(host, g);
  g.launch_call_median_ns = launch_call_median(g);
  find_steps(g);
  return g;
}

std::vector<Graph> build_graphs(const std::vector<const analysis::Analysis*>& ranks) {
  std::vector<Graph> out;
  for (const analysis::Analysis* rank : ranks) out.push_back(build_graph(*rank));
  return out;
}

std::vector<const Graph*> pointers(const std::vector<Graph>& graphs) {
  std::vector<const Graph*> out;
  for (const Graph& g : graphs) out.push_back(&g);
  return out;
}

}  // namespace rooflab::graph
