// SPDX-License-Identifier: Apache-2.0
// The kernels of each optimizer step become one pass over parameters, gradients and states.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("fused-optimizer", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  const RunsEdit edit = fuse_runs(graph, scenario, faults.optimizer, outlook);
  Applied applied;
  applied.count = edit.works;
  applied.what = fmt::format("{} kernels of updates become {} passes", human_count(edit.works),
                             human_count(edit.runs));
  applied.assumes = {"the optimizer has a fused form for these parameters"};
  return applied;
}

}  // namespace

Change change_fused_optimizer() {
  return {"fused-optimizer", "", "update all parameters in one pass", &apply};
}

}  // namespace rooflab::graph
