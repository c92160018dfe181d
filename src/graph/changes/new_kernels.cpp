// SPDX-License-Identifier: Apache-2.0
// Products by kernels of an older device generation take the time of a well-chosen kernel. Whether
// a library has one is not known: the result is a bound.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("new-kernels", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  Applied applied;
  applied.count = shorten_all(scenario, faults.old_path, outlook);
  applied.what = fmt::format("{} products take the time of a kernel written for the device",
                             human_count(applied.count));
  applied.assumes = {"a library has a kernel for these sizes and types"};
  applied.bound = true;
  return applied;
}

}  // namespace

Change change_new_kernels() {
  return {"new-kernels", "", "replace kernels written for older devices", &apply};
}

}  // namespace rooflab::graph
