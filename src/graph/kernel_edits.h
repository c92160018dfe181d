// SPDX-License-Identifier: Apache-2.0
// How changes to kernels edit a scenario: a launch takes less time, or goes, and with it the host
// time that led to it.
//
// What goes with a launch that is gone: its call, if that launches nothing else that stays, and the
// time the thread spent before it inside operators; with the likely and the most also the
// program's own time between. Input, compilation, allocation, waits and copies before it stay.
#pragma once

#include <cstdint>

#include "analysis/kernel_faults.h"
#include "graph/edits.h"

namespace rooflab::graph {

[[nodiscard]] std::int64_t pick(const analysis::TimeRange& time, Outlook outlook);

// Whether the scenario still has this work, with a time of its own.
[[nodiscard]] bool is_there(const Scenario& scenario, model::WorkId work);
// Never makes a work longer. False: nothing changed.
bool shorten(Scenario& scenario, model::WorkId work, std::int64_t ns);
void remove_work(const Graph& graph, Scenario& scenario, model::WorkId work, Outlook outlook);

struct RunsEdit {
  std::int64_t runs = 0, works = 0;  // runs fused, works that they had
};
// The first work that is still there takes the run's time, the others go.
RunsEdit fuse_runs(const Graph& graph, Scenario& scenario, const analysis::WorkRuns& runs,
                   Outlook outlook);
// Each takes its better time; the count of those that changed.
std::int64_t shorten_all(Scenario& scenario, const std::vector<analysis::SlowWork>& works,
                         Outlook outlook);

}  // namespace rooflab::graph
