// SPDX-License-Identifier: Apache-2.0
// Pageable copies go from page-locked memory at the link's rate and no longer hold up the host.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "pin-copies";

bool pageable(const model::Profile& p, model::WorkId w) {
  return p.work.source_memory[w.row] == model::MemoryKind::kPageable ||
         p.work.target_memory[w.row] == model::MemoryKind::kPageable;
}

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments, Outlook outlook,
                      Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const model::Profile& p = *g.analysis->profile;
  Applied out;
  const std::optional<double> rate = link_rate(g, outlook);
  if (!rate) {
    out.what = "the link's rate is unknown for this device";
    return out;
  }
  std::int64_t bytes = 0;
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    for (std::uint32_t k = g.anchors[i].first_work; k < g.anchors[i + 1].first_work; ++k) {
      const model::WorkId w = g.works_of_anchor[k];
      if (!crosses_link(p, w) || !pageable(p, w) || p.work.bytes[w.row] < 0) continue;
      const double ns = static_cast<double>(p.work.bytes[w.row]) / *rate * 1e9;
      s.work_ns[w.row] = std::min(s.work_ns[w.row], static_cast<std::int64_t>(ns) + 1'000);
      const bool reads = p.work.direction[w.row] == model::CopyDirection::kDeviceToHost;
      if (!reads) unblock(g, i, s);
      bytes = saturating_add(bytes, p.work.bytes[w.row]);
      ++out.count;
    }
  }
  out.what =
      fmt::format("{} pageable copies ({}) at {}/s, not waited for", human_count(out.count),
                  human_bytes(Bytes(bytes)), human_bytes(Bytes(static_cast<std::int64_t>(*rate))));
  out.assumes = {"the data is written into page-locked memory in the first place"};
  return out;
}

}  // namespace

Change change_pin_copies() {
  return {kName, "", "copy from page-locked memory at the link's rate, without blocking", &apply};
}

}  // namespace rooflab::graph
