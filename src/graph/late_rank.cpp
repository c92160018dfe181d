// SPDX-License-Identifier: Apache-2.0
#include "graph/late_rank.h"

#include "graph/deflate.h"

namespace rooflab::graph {
namespace {

// What the recorder cost the host of a rank, a step: at most.
double recorder_cost(const analysis::Analysis& a, double records) {
  const auto deflation = deflation_of(*a.profile);
  if (!deflation) return 0;
  return deflation->high * static_cast<double>(a.metrics.total.launch_call_median.value) * records;
}

double host_excess(const analysis::RankComparison& ranks) {
  double sum = 0;
  for (const analysis::Activity& activity : ranks.excess) sum += activity.excess_ns();
  return sum;
}

}  // namespace

std::optional<LateRank> late_rank(const analysis::Analysis& analysis) {
  if (analysis.ranks == nullptr || analysis.job == nullptr) return {};
  const analysis::RankComparison& ranks = *analysis.ranks;
  const analysis::RankShare& last = ranks.ranks[ranks.last];
  const analysis::Analysis& own = *ranks.analyses[ranks.last];
  LateRank out;
  out.place = ranks.last;
  out.rank = analysis.job->ranks[ranks.last].rank;
  out.wait_ns = last.caused_ns;
  out.on_device = ranks.device_own_ns - ranks.device_typical_ns > host_excess(ranks);
  if (!out.on_device) out.recorder_ns = recorder_cost(own, last.records);
  const auto steps = static_cast<double>(ranks.steps);
  if (static_cast<double>(last.steps_last) < kLeastStepsLast * steps) return {};
  const double step = static_cast<double>(own.window.length().value) / steps;
  if (out.wait_ns - out.recorder_ns < kLeastWait * step) return {};
  return out;
}

}  // namespace rooflab::graph
