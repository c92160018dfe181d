// SPDX-License-Identifier: Apache-2.0
// By repetition: each pass sets right at least the first collective that was still wrong, and in
// recordings nearly all of them after a few.
#include "graph/couple_ranks.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "graph/simulate.h"

namespace rooflab::graph {
namespace {

constexpr int kMostPasses = 24;
constexpr std::int64_t kClose = 1'000;  // ns: below every latency that is measured

// How far the collective's work times changed, at most.
std::int64_t couple(const model::Job& job, const model::JobCollective& c,
                    const std::vector<Timing>& timings, std::vector<Scenario>& scenarios) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  const auto start_of = [&](std::size_t place) {
    return timings[place].work_start[c.arrivals[place].work.row] - job.ranks[place].time_offset_ns;
  };
  for (std::size_t place = 0; place < scenarios.size(); ++place) {
    if (c.arrivals[place].work.valid()) last = std::max(last, start_of(place));
  }
  std::int64_t most = 0;
  for (std::size_t place = 0; place < scenarios.size(); ++place) {
    const model::Arrival& own = c.arrivals[place];
    if (!own.work.valid()) continue;
    std::int64_t& ns = scenarios[place].work_ns[own.work.row];
    const std::int64_t wanted =
        std::min(last - start_of(place) + c.transfer_ns, std::max(own.end - own.start, ns));
    most = std::max(most, std::abs(wanted - ns));
    ns = wanted;
  }
  return most;
}

}  // namespace

void couple_ranks(const std::vector<const Graph*>& graphs, std::vector<Scenario>& scenarios) {
  const model::Job* job = graphs.empty() ? nullptr : graphs[0]->analysis->job;
  if (job == nullptr || graphs.size() != job->ranks.size()) return;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    std::vector<Timing> timings;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      timings.push_back(simulate(*graphs[i], scenarios[i]));
    }
    std::int64_t most = 0;
    for (const model::JobCollective& c : job->collectives) {
      most = std::max(most, couple(*job, c, timings, scenarios));
    }
    if (most <= kClose) return;
  }
}

}  // namespace rooflab::graph
