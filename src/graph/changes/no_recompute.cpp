// SPDX-License-Identifier: Apache-2.0
// Forward work that the backward pass does a second time (analysis/recompute.h) is not done: its
// kernels, their launches and the host's time in those operators go. What it needs instead is
// memory for the results that were thrown away; whether that is there the file does not say.
//
// Refuses arguments.
#include <fmt/format.h>

#include "analysis/recompute.h"
#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "no-recompute";

bool is_again(const analysis::Recompute& recompute, model::SpanId span) {
  return span.valid() && span.row < recompute.again.size() && recompute.again[span.row];
}

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const analysis::Analysis& a = *graph.analysis;
  const analysis::Recompute recompute = analysis::find_recompute(*a.profile, a.tree);
  Applied out;
  if (!recompute.roots.empty()) {
    const model::WorkTable& work = a.profile->work;
    for (std::size_t row = 0; row < work.size(); ++row) {
      if (!is_again(recompute, work.launch[row])) continue;
      scenario.work_state[row] = WorkState::kGone;
      ++out.count;
    }
    for (std::size_t i = 0; i < graph.anchor_count(); ++i) {
      if (!is_again(recompute, graph.anchors[i].span)) continue;
      scenario.call_ns[i] = 0;
      scenario.waits[i] = 0;
    }
    for (std::size_t i = 0; i < graph.parts.size(); ++i) {
      if (is_again(recompute, graph.parts[i].cause)) scenario.part_ns[i] = 0;
    }
  }
  out.what = fmt::format("{} kernels and copies that repeat forward work are not launched",
                         human_count(out.count));
  out.assumes = {"the results of the forward pass fit in device memory"};
  return out;
}

}  // namespace

Change change_no_recompute() {
  return {kName, "", "keep forward results instead of computing them again", &apply};
}

}  // namespace rooflab::graph
