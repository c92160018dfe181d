// SPDX-License-Identifier: Apache-2.0
// N processes prepare the input beside the program: a step then takes as long as its other work or
// an N-th of the input's time, whichever is longer.
//
// Where the other work is the longer one, the result is the bound of feed-loader: that the workers
// take nothing from the program's own cores is then assumed, and the gain is stated as "at most".
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "graph/edits.h"
#include "graph/simulate.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "loader-workers";

// Ten years: what no sum of a hostile file's times may exceed on the screen.
constexpr double kLongest = 3e17;

double input_per_step(const Graph& g, const Scenario& s) {
  const std::int64_t from = g.unit_starts.empty() ? 0 : g.analysis->window.start.value;
  const std::int64_t to = g.analysis->window.end.value;
  double sum = 0;
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    if (g.anchors[i].begin < from || g.anchors[i].begin > to) continue;
    for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
      if (g.parts[k].host_class == analysis::HostClass::kInput) {
        sum += static_cast<double>(s.part_ns[k]);
      }
    }
  }
  const std::size_t steps = g.unit_starts.size() < 2 ? 1 : g.unit_starts.size() - 1;
  return sum / static_cast<double>(steps);
}

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments, Outlook outlook,
                      Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 1, 1));
  RL_TRY(const double workers, positive_number(kName, arguments[0]));
  const double scaling = std::max(1.0, workers * ceiling_for(outlook, "loader_worker_share"));
  const double input = input_per_step(g, s);
  Scenario fed = s;
  Applied out;
  out.count = remove_host(g, {analysis::HostClass::kInput}, {}, fed);
  const double rest = simulate(g, fed).step_ns;
  // What the program still waits for in each step, over what it waited for.
  const double left = std::max(0.0, input / scaling - rest);
  const double share = input > 0 ? left / input : 0;
  for (std::size_t k = 0; k < g.parts.size(); ++k) {
    if (g.parts[k].host_class == analysis::HostClass::kInput) {
      s.part_ns[k] = static_cast<std::int64_t>(static_cast<double>(s.part_ns[k]) * share);
    }
  }
  out.bound = outlook == Outlook::kLikely && left <= 0;
  out.what = fmt::format("{} workers prepare {} of input a step", arguments[0],
                         human_time(Nanos(static_cast<std::int64_t>(std::min(input, kLongest)))));
  out.assumes = {fmt::format("{} free cores", arguments[0])};
  return out;
}

}  // namespace

Change change_loader_workers() {
  return {kName, "N", "prepare the input in N processes beside the program", &apply, {{"4"}}};
}

}  // namespace rooflab::graph
