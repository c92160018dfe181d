// SPDX-License-Identifier: Apache-2.0
#include "graph/kernel_edits.h"

#include <algorithm>
#include <cmath>

namespace rooflab::graph {
namespace {

// Whether any work of the anchor stays.
bool launches_more(const Graph& graph, const Scenario& scenario, std::uint32_t anchor) {
  const std::uint32_t end = graph.anchors[anchor + 1].first_work;
  for (std::uint32_t k = graph.anchors[anchor].first_work; k < end; ++k) {
    const std::uint32_t work = graph.works_of_anchor[k].row;
    if (work < scenario.work_state.size() && scenario.work_state[work] != WorkState::kGone)
      return true;
  }
  return false;
}

}  // namespace

std::int64_t pick(const analysis::TimeRange& time, Outlook outlook) {
  const double ns = pick(outlook, time.longest, time.likely, time.shortest);
  constexpr double kMost = 1e18;
  return std::llround(std::clamp(ns, 0.0, kMost));
}

bool is_there(const Scenario& scenario, model::WorkId work) {
  return work.row < scenario.work_state.size() && scenario.work_state[work.row] != WorkState::kGone;
}

bool shorten(Scenario& scenario, model::WorkId work, std::int64_t ns) {
  if (!is_there(scenario, work) || ns >= scenario.work_ns[work.row]) return false;
  scenario.work_ns[work.row] = ns;
  return true;
}

void remove_work(const Graph& graph, Scenario& scenario, model::WorkId work, Outlook outlook) {
  if (!is_there(scenario, work)) return;
  scenario.work_state[work.row] = WorkState::kGone;
  scenario.work_ns[work.row] = 0;
  const std::uint32_t anchor =
      work.row < graph.anchor_of_work.size() ? graph.anchor_of_work[work.row] : kNoAnchor;
  if (anchor >= graph.anchor_count() || graph.anchors[anchor].wait != Wait::kNone ||
      launches_more(graph, scenario, anchor)) {
    return;
  }
  drop_anchor(graph, anchor, outlook != Outlook::kLeast, scenario);
}

RunsEdit fuse_runs(const Graph& graph, Scenario& scenario, const analysis::WorkRuns& runs,
                   Outlook outlook) {
  RunsEdit edit;
  for (const analysis::WorkRun& run : runs.runs) {
    if (!run.has_time) continue;
    std::int64_t now = 0;
    model::WorkId first;
    std::int64_t there = 0;
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
      const model::WorkId work = runs.works[k];
      if (!is_there(scenario, work)) continue;
      if (!first.valid()) first = work;
      ++there;
      now += scenario.work_ns[work.row];
    }
    if (there < 2) continue;
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
      if (runs.works[k] != first) remove_work(graph, scenario, runs.works[k], outlook);
    }
    scenario.work_ns[first.row] = std::min(now, pick(run.then, outlook));
    edit.runs += 1;
    edit.works += there;
  }
  return edit;
}

std::int64_t shorten_all(Scenario& scenario, const std::vector<analysis::SlowWork>& works,
                         Outlook outlook) {
  std::int64_t count = 0;
  for (const analysis::SlowWork& slow : works) {
    if (slow.has_time && shorten(scenario, slow.work, pick(slow.then, outlook))) ++count;
  }
  return count;
}

}  // namespace rooflab::graph
