// SPDX-License-Identifier: Apache-2.0
// A step holds N items instead of one; all times are then those of one item, so that steps compare.
// Host time is paid once for all of them, but for preparing the input; kernels take what the roofs
// say (analysis/batch_time.h).
#include <fmt/format.h>

#include <cmath>

#include "analysis/batch_time.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "batch";
constexpr double kMostItems = 65536;

std::int64_t divided(std::int64_t ns, double items) {
  return std::llround(static_cast<double>(ns) / items);
}

void divide_host(const Graph& graph, double items, Scenario& scenario) {
  for (std::size_t i = 0; i < graph.parts.size(); ++i) {
    if (graph.parts[i].host_class != analysis::HostClass::kInput)
      scenario.part_ns[i] = divided(scenario.part_ns[i], items);
  }
  for (std::int64_t& call : scenario.call_ns) call = divided(call, items);
  Latencies& l = scenario.latencies;
  for (double* latency : {&l.dispatch, &l.stream_gap, &l.copy_gap, &l.node_gap, &l.cross_gap,
                          &l.wait_return, &scenario.replay_gap_ns}) {
    *latency /= items;
  }
}

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 1, 1));
  RL_TRY(const double items, positive_number(kName, arguments[0]));
  if (items < 2 || items > kMostItems || std::floor(items) != items) {
    return fail(ErrorCode::kUsage,
                fmt::format("the number of items is a whole number from 2 to {}, not {}",
                            kMostItems, arguments[0]),
                kName);
  }
  const std::vector<analysis::TimeRange> times = analysis::batched_times(*graph.analysis, items);
  Applied applied;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto recorded = static_cast<double>(graph.analysis->profile->work.duration[i]);
    if (recorded <= 0 || !is_there(scenario, model::WorkId(i))) continue;
    // Earlier changes in the same call may have shortened it: the factor is what counts.
    const double factor = static_cast<double>(pick(times[i], outlook)) / recorded;
    scenario.work_ns[i] = std::llround(static_cast<double>(scenario.work_ns[i]) * factor / items);
    ++applied.count;
  }
  divide_host(graph, items, scenario);
  applied.what = fmt::format("{} items a step; times are those of one item", arguments[0]);
  applied.assumes = {"a step of this recording holds one item",
                     "all items are at hand when the step begins"};
  return applied;
}

}  // namespace

Change change_batch() { return {kName, "N", "N items in one step, time for each item", &apply}; }

}  // namespace rooflab::graph
