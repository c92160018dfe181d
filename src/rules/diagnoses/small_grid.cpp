// SPDX-License-Identifier: Apache-2.0
// Measured kernels with fewer blocks than the device has multiprocessors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastGain = 1.10;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const double grid = k.value_or("grid_blocks", 0);
  const double places = k.value_or("multiprocessors", 0);
  if (!(grid > 0) || !(places > 0)) return {};
  double bound = places / grid;
  if (headroom(k) > 0) bound = std::min(bound, headroom(k));
  if (grid >= places || bound < kLeastGain) return {true, {}};
  Finding f = kernel_finding(a, k, "small_grid", FaultOrder::kSmallGrid, bound);
  f.title = fmt::format("{}: {:.0f} block{} for {:.0f} multiprocessors", short_name(a, k), grid,
                        grid == 1 ? "" : "s", places);
  f.evidence.push_back({fmt::format("{} of the multiprocessors have no block",
                                    human_percent(Ratio{1 - grid / places})),
                        "grid_blocks", grid});
  f.chain = {"the work is cut into fewer blocks than there are multiprocessors",
             "multiprocessors without a block idle until the kernel ends",
             "the device works at a part of its speed"};
  f.falsifier =
      "run two of them at once on two streams: if both take as long as one, the device "
      "had room";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "blocks of the grid and multiprocessors (the launch section)", &judge);
}

}  // namespace

Rule rule_small_grid() {
  return make_rule({.id = "small_grid",
                    .layer = Layer::kKernel,
                    .title = "Fewer blocks than multiprocessors",
                    .why = "A block runs on one multiprocessor. With fewer blocks than "
                           "multiprocessors the rest do nothing, however good the kernel is.",
                    .thresholds = {{"least_gain", kLeastGain,
                                    "multiprocessors over blocks, and room in the busiest part of "
                                    "the device: less is not worth it"}},
                    .tested_on_real_input = false},
                   &check);
}

}  // namespace rooflab::rules
