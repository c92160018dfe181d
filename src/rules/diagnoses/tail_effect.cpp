// SPDX-License-Identifier: Apache-2.0
// Measured kernels whose last wave of blocks is nearly empty: few blocks run alone while the other
// multiprocessors idle. Waves are computed from blocks, multiprocessors and the limits of blocks,
// since tools print them rounded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastEmpty = 0.20;
constexpr double kLeastGain = 1.10;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const double grid = k.value_or("grid_blocks", 0);
  const double places = k.value_or("multiprocessors", 0) * block_limit(k).blocks;
  if (!(grid > 0) || !(places > 0)) return {};
  const double waves = grid / places;
  const double whole = std::ceil(waves);
  const double empty = 1 - waves / whole;
  if (waves <= 1 || empty < kLeastEmpty) return {true, {}};
  double bound = whole / waves;
  if (headroom(k) > 0) bound = std::min(bound, headroom(k));
  if (bound < kLeastGain) return {true, {}};
  const double last = grid - (whole - 1) * places;
  Finding f = kernel_finding(a, k, "tail_effect", FaultOrder::kTail, bound);
  f.title = fmt::format("{}: its last wave has {:.0f} block{} for {:.0f} places", short_name(a, k),
                        last, last == 1 ? "" : "s", places);
  f.evidence.push_back(
      {fmt::format("{} blocks in {:.4g} waves of {:.0f}: {} of the places of all waves stay empty",
                   human_count(std::llround(grid)), waves, places, human_percent(Ratio{empty})),
       "waves", waves});
  if (const auto achieved = k.value("achieved_occupancy_percent")) {
    f.evidence.push_back({fmt::format("occupancy {} achieved, {} possible", percent(*achieved),
                                      percent(k.value_or("theoretical_occupancy_percent", 100))),
                          "achieved_occupancy_percent", *achieved});
  }
  f.chain = {"the grid is a little larger than the device holds at once",
             "the blocks of the last wave run with most of the device empty",
             "the kernel ends when they do"};
  f.falsifier =
      "leave out the blocks of the last wave: if the time falls only by their share, "
      "there is no tail";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "blocks, multiprocessors and the limits of blocks (launch and occupancy)",
                     &judge);
}

}  // namespace

Rule rule_tail_effect() {
  return make_rule(
      {.id = "tail_effect",
       .layer = Layer::kKernel,
       .title = "A last wave that is nearly empty",
       .why = "Blocks run in waves of as many as the device holds. With few waves, a partial last "
              "one costs as much as a full one and does less. The bound is what filling it could "
              "bring, and no more than the busiest part of the device has room for.",
       .thresholds = {{"least_empty_ratio", kLeastEmpty,
                       "places that stay empty, of all waves; real kernels of 3.9 waves have 0.03"},
                      {"least_gain", kLeastGain, "of the bound: less is not worth it"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
