// SPDX-License-Identifier: Apache-2.0
// Collectives run beside independent compute: hidden as far as there is any, never faster than
// their own stream.
#include <fmt/format.h>

#include "analysis/device_sweep.h"
#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "overlap-comm";

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const model::Profile& p = *g.analysis->profile;
  Applied out;
  for (std::uint32_t row = 0; row < p.work.size(); ++row) {
    if (analysis::work_group(p, g.analysis->classes, row) != analysis::WorkGroup::kComm) continue;
    if (s.work_state[row] == WorkState::kGone) continue;
    s.work_state[row] = WorkState::kHidden;
    ++out.count;
  }
  out.what = fmt::format("{} collectives run beside compute", human_count(out.count));
  out.assumes = {"what follows a collective does not need its result at once"};
  return out;
}

}  // namespace

Change change_overlap_comm() {
  return {kName, "", "run collectives beside independent compute", &apply};
}

}  // namespace rooflab::graph
