// SPDX-License-Identifier: Apache-2.0
// Conversions that are undone within a few kernels go, and the memory-bound kernels between them
// move the narrower type.
#include <fmt/format.h>

#include <cmath>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments("remove-casts", arguments, 0, 0));
  const analysis::KernelFaults& faults = graph.analysis->faults;
  Applied applied;
  std::int64_t gone = 0;
  for (const analysis::Cast& cast : faults.casts) {
    if (!is_there(scenario, cast.work)) continue;
    ++applied.count;
    // A conversion that is not undone may be needed: only the most leaves it out.
    if (!cast.round_trip && outlook != Outlook::kMost) continue;
    remove_work(graph, scenario, cast.work, outlook);
    ++gone;
  }
  for (const analysis::NarrowedWork& work : faults.narrowed) {
    if (outlook == Outlook::kLeast || !is_there(scenario, work.work)) continue;
    const auto now = static_cast<double>(scenario.work_ns[work.work.row]);
    shorten(scenario, work.work, std::llround(now * work.ratio));
  }
  applied.what = fmt::format("{} conversions are gone", human_count(gone));
  applied.assumes = {"the narrower type is precise enough for the kernels between"};
  return applied;
}

}  // namespace

Change change_remove_casts() {
  return {"remove-casts", "", "stay in one element type instead of converting back and forth",
          &apply};
}

}  // namespace rooflab::graph
