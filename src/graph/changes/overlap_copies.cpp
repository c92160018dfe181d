// SPDX-License-Identifier: Apache-2.0
// Copies between host and device run on a stream of their own, one step ahead: hidden under compute
// as far as there is compute, and never faster than the copy engine.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "overlap-copies";

bool pageable(const model::Profile& p, model::WorkId w) {
  return p.work.source_memory[w.row] == model::MemoryKind::kPageable ||
         p.work.target_memory[w.row] == model::MemoryKind::kPageable;
}

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const model::Profile& p = *g.analysis->profile;
  Applied out;
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    if (reads_back(g, i)) continue;
    for (std::uint32_t k = g.anchors[i].first_work; k < g.anchors[i + 1].first_work; ++k) {
      const model::WorkId w = g.works_of_anchor[k];
      if (!crosses_link(p, w) || s.work_state[w.row] == WorkState::kGone) continue;
      // Pageable copies cannot overlap, unless an earlier change pinned them.
      if (pageable(p, w) && s.work_ns[w.row] == p.work.duration[w.row]) continue;
      s.work_state[w.row] = WorkState::kHidden;
      unblock(g, i, s);
      ++out.count;
    }
  }
  out.what = fmt::format("{} copies run on a stream of their own", human_count(out.count));
  out.assumes = {"the next step's data is known one step ahead"};
  return out;
}

}  // namespace

Change change_overlap_copies() {
  return {kName, "", "copy on a stream of its own, one step ahead", &apply};
}

}  // namespace rooflab::graph
