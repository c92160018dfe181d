// SPDX-License-Identifier: Apache-2.0
// The rank that the others wait for does no more than they do: its host time and device work are
// brought down to the median of the others, and collectives take only their transfer.
//
// Needs all ranks' files; each rank is re-timed on its own and the slowest one is the run's step.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/device_sweep.h"
#include "base/human.h"
#include "graph/edits.h"
#include "graph/late_rank.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "balance-ranks";

const analysis::Activity* excess_of(const std::vector<analysis::Activity>& excess,
                                    analysis::HostClass host_class, const std::string& label) {
  for (const analysis::Activity& a : excess) {
    if (a.host_class == host_class && a.label == label) return &a;
  }
  return nullptr;
}

// The least: only the one activity that differs most is brought down.
void balance_host(const Graph& g, Outlook outlook, Scenario& s) {
  const model::Profile& p = *g.analysis->profile;
  std::vector<analysis::Activity> excess = g.analysis->ranks->excess;
  if (outlook == Outlook::kLeast && excess.size() > 1) excess.resize(1);
  for (std::size_t k = 0; k < g.parts.size(); ++k) {
    const HostPart& part = g.parts[k];
    const std::string label =
        part.cause.valid()
            ? analysis::owner_label(p.span_name(part.cause), p.spans.kind[part.cause.row])
            : "";
    const analysis::Activity* activity = excess_of(excess, part.host_class, label);
    if (activity == nullptr || activity->own_ns <= 0) continue;
    const double share = activity->typical_ns / activity->own_ns;
    s.part_ns[k] = static_cast<std::int64_t>(static_cast<double>(s.part_ns[k]) * share);
  }
}

void balance_device(const Graph& g, Scenario& s) {
  const analysis::RankComparison& ranks = *g.analysis->ranks;
  if (ranks.device_own_ns <= ranks.device_typical_ns) return;
  const double share = ranks.device_typical_ns / ranks.device_own_ns;
  const model::Profile& p = *g.analysis->profile;
  for (std::size_t row = 0; row < p.work.size(); ++row) {
    if (analysis::work_group(p, g.analysis->classes, row) == analysis::WorkGroup::kComm) continue;
    s.work_ns[row] = static_cast<std::int64_t>(static_cast<double>(s.work_ns[row]) * share);
  }
}

std::int64_t take_out_waits(const Graph& g, Scenario& s) {
  const std::size_t place = g.analysis->place;
  std::int64_t count = 0;
  for (const model::JobCollective& c : g.analysis->job->collectives) {
    const model::WorkId own = c.arrivals[place].work;
    if (!own.valid()) continue;
    s.work_ns[own.row] = std::min(s.work_ns[own.row], c.transfer_ns);
    ++count;
  }
  return count;
}

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments, Outlook outlook,
                      Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  Applied out;
  const auto late = late_rank(*g.analysis);
  if (!late) return out;
  out.count = take_out_waits(g, s);
  if (late->place == g.analysis->place) {
    balance_host(g, outlook, s);
    balance_device(g, s);
  }
  out.what = fmt::format("rank {} does no more than the others, and {} collectives wait for nobody",
                         late->rank, human_count(out.count));
  out.assumes = {"what the late rank does longer can be shortened or shared out"};
  return out;
}

}  // namespace

Change change_balance_ranks() {
  return {kName, "", "bring the rank that others wait for down to them", &apply};
}

}  // namespace rooflab::graph
