// SPDX-License-Identifier: Apache-2.0
// Launches between two waits become one replayed graph: the host pays once, the device goes from
// node to node.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "graph-launches";

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments, Outlook outlook,
                      Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const std::vector<CaptureRun> runs = capture_runs(g, s, 2);
  Applied out;
  for (const CaptureRun& run : runs) out.count += static_cast<std::int64_t>(run.anchors.size());
  replay_as_graphs(g, runs, outlook, s);
  out.what = fmt::format("{} launches become {} graph launches", human_count(out.count),
                         human_count(static_cast<std::int64_t>(runs.size())));
  out.assumes = {"shapes and addresses are the same in every replay"};
  return out;
}

}  // namespace

Change change_graph_launches() {
  return {kName, "", "replay the launches between two waits as one graph", &apply};
}

}  // namespace rooflab::graph
