// SPDX-License-Identifier: Apache-2.0
// Each chain of elementwise kernels becomes one that reads the chain's inputs and writes its
// result.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("fuse", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  const RunsEdit edit = fuse_runs(graph, scenario, faults.elementwise, outlook);
  Applied applied;
  applied.count = edit.works;
  applied.what =
      fmt::format("{} kernels become {}", human_count(edit.works), human_count(edit.runs));
  applied.assumes = {"neighbouring kernels over equal shapes work on one another's results"};
  return applied;
}

}  // namespace

Change change_fuse() {
  return {"fuse", "", "fuse chains of memory-bound elementwise kernels", &apply};
}

}  // namespace rooflab::graph
