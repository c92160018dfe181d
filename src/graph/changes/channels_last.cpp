// SPDX-License-Identifier: Apache-2.0
// Kernels that only change the layout of a convolution's operands go, and batch normalisation
// between the convolutions, which takes one channel to a block now, streams.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("channels-last", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  Applied applied;
  for (const analysis::LayoutCopy& copy : faults.layout) {
    if (!copy.convolution || !is_there(scenario, copy.work)) continue;
    remove_work(graph, scenario, copy.work, outlook);
    ++applied.count;
  }
  const std::int64_t norms = shorten_all(scenario, faults.channel_norms, outlook);
  applied.what = fmt::format("{} layout changes are gone", human_count(applied.count));
  if (norms > 0) applied.what += fmt::format(", {} normalisations stream", human_count(norms));
  applied.count += norms;
  applied.assumes = {"everything between the convolutions keeps the layout"};
  return applied;
}

}  // namespace

Change change_channels_last() {
  return {"channels-last", "", "keep convolutions in channels-last layout", &apply};
}

}  // namespace rooflab::graph
