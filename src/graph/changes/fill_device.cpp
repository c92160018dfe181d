// SPDX-License-Identifier: Apache-2.0
// Equal products with few tiles, next to each other on a stream, become one batched product.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("fill-device", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  const RunsEdit edit = fuse_runs(graph, scenario, faults.batchable, outlook);
  Applied applied;
  applied.count = edit.works;
  applied.what = fmt::format("{} products become {} batched ones", human_count(edit.works),
                             human_count(edit.runs));
  applied.assumes = {"equal products next to each other do not depend on one another"};
  return applied;
}

}  // namespace

Change change_fill_device() {
  return {"fill-device", "", "batch equal products that leave the device part empty", &apply};
}

}  // namespace rooflab::graph
