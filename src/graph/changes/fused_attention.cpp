// SPDX-License-Identifier: Apache-2.0
// Product, softmax and product become one attention kernel that keeps the scores on chip.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("fused-attention", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  const RunsEdit edit = fuse_runs(graph, scenario, faults.attention, outlook);
  Applied applied;
  applied.count = edit.works;
  applied.what = fmt::format("{} kernels become {} attention kernels", human_count(edit.works),
                             human_count(edit.runs));
  applied.assumes = {
      "nothing else needs the scores",
      "a mask that all heads and sequences share is causal, and its half is skipped"};
  return applied;
}

}  // namespace

Change change_fused_attention() {
  return {"fused-attention", "", "compute attention in one kernel", &apply};
}

}  // namespace rooflab::graph
