// SPDX-License-Identifier: Apache-2.0
// Single-precision products on the vector units take the time of the matrix units in the closest
// format the device has for them (where it has no shortened single precision, 16 bits).
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("tensor-cores", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  Applied applied;
  applied.count = shorten_all(scenario, faults.vector_products, outlook);
  applied.what = fmt::format("{} single-precision products run on the matrix units",
                             human_count(applied.count));
  applied.assumes = {"the shortened operands are precise enough for the result"};
  return applied;
}

}  // namespace

Change change_tensor_cores() {
  return {"tensor-cores", "", "run single-precision products on the matrix units", &apply};
}

}  // namespace rooflab::graph
