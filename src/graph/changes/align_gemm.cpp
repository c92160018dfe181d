// SPDX-License-Identifier: Apache-2.0
// Products whose sizes rule fast kernels out take the time of a well-chosen kernel for padded
// sizes.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("align-gemm", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  Applied applied;
  applied.count = shorten_all(scenario, faults.misaligned, outlook);
  applied.what =
      fmt::format("{} products take the time of padded ones", human_count(applied.count));
  applied.assumes = {"the operands are stored padded: no copy is made for each product"};
  return applied;
}

}  // namespace

Change change_align_gemm() {
  return {"align-gemm", "", "pad products and convolutions to sizes that the fast kernels take",
          &apply};
}

}  // namespace rooflab::graph
