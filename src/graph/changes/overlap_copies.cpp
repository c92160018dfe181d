// SPDX-License-Identifier: Apache-2.0
// Copies between host and device run on a stream of their own, one step ahead: hidden under compute
// as far as there is compute, and never faster than the copy engine. Results that the host waits
// for are taken up a step later, into two buffers in turn; values (a loss, a flag) are not, since
// what the program does next may depend on them: removing such waits is another change.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "overlap-copies";
// From here on a copy's bytes, not its latency, take its time (10 us at the rate of PCIe 5): what
// is read so is data.
constexpr std::int64_t kLeastResult = 512 * 1024;

bool pageable(const model::Profile& p, model::WorkId w) {
  return p.work.source_memory[w.row] == model::MemoryKind::kPageable ||
         p.work.target_memory[w.row] == model::MemoryKind::kPageable;
}

bool reads_a_value(const Graph& g, std::uint32_t i) {
  if (!reads_back(g, i)) return false;
  const model::WorkId w = g.works_of_anchor[g.anchors[i].first_work];
  return g.analysis->profile->work.bytes[w.row] < kLeastResult;
}

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const model::Profile& p = *g.analysis->profile;
  Applied out;
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    if (reads_a_value(g, i)) continue;
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
  out.assumes = {"the next step's data is known one step ahead",
                 "results are wanted one step later"};
  return out;
}

}  // namespace

Change change_overlap_copies() {
  return {kName, "", "copy on a stream of its own, one step ahead", &apply};
}

}  // namespace rooflab::graph
