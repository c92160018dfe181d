// SPDX-License-Identifier: Apache-2.0
// Hand-made ranks of a job: each step of 10 ms has host work, one kernel and one all-reduce of
// group "0" that all ranks end together.
//
//   JobSpec spec;
//   spec.late_ns = {0, 4'000'000};               // rank 1 prepares 4 ms longer
//   const model::Profile rank1 = rank_of(spec, 1);
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/builder.h"
#include "support/tiny_trace.h"

namespace rooflab::testing {

struct JobSpec {
  std::vector<std::int64_t> late_ns{0, 4'000'000};  // by rank, before its collective
  std::vector<std::int64_t> clock_ns;               // by rank; absent: one clock
  std::int64_t steps = 6, world_size = 2, elements = 4096;
  std::int64_t first_step = 0;  // steps before it are not recorded
  std::string group_ranks = "[0, 1]";
  std::string name = "allreduce";
  std::int64_t jitter_ns = 0;  // steps begin up to this much later: tells one from the next
};

constexpr std::int64_t kStepNs = 10'000'000;
constexpr std::int64_t kTransferNs = 300'000;
constexpr std::int64_t kEarliestNs = 1'000'000;  // of a collective, after its step's begin

inline model::Profile rank_of(const JobSpec& spec, std::int64_t rank) {
  TinyTrace t;
  const auto r = static_cast<std::size_t>(rank);
  const std::int64_t clock = r < spec.clock_ns.size() ? spec.clock_ns[r] : 0;
  const std::int64_t last = *std::max_element(spec.late_ns.begin(), spec.late_ns.end());
  model::Builder& b = t.builder();
  model::Collective c;
  c.name = b.intern(spec.name);
  c.dtype = b.intern("Float");
  c.group_name = b.intern("0");
  c.group_ranks = b.intern(spec.group_ranks);
  c.in_elements = c.out_elements = spec.elements;
  c.group_size = static_cast<std::int32_t>(spec.world_size);
  const model::CollectiveId collective = b.collective(c);
  for (std::int64_t step = spec.first_step; step < spec.steps; ++step) {
    const std::int64_t at = clock + step * kStepNs + (step * step % 7) * spec.jitter_ns / 6;
    t.range(1, at, kStepNs - 2 * spec.jitter_ns - 1, "ProfilerStep#" + std::to_string(step));
    t.launch(1, at + 10'000, 5'000, kGemm, {.start = at + 20'000, .duration = 100'000});
    if (spec.late_ns[r] > 0) t.range(1, at + 30'000, spec.late_ns[r], "slow_part");
    const std::int64_t own = at + kEarliestNs + spec.late_ns[r];
    const std::int64_t end = at + kEarliestNs + last + kTransferNs;
    model::WorkRow row;
    row.start = own;
    row.duration = end - own;
    row.name = b.intern(kAllReduce);
    row.track = b.stream_track(0, 17, TinyTrace::kPid);
    row.correlation = t.launch_call(1, own - 10'000, 5'000);
    row.collective = collective;
    b.add(row);
  }
  b.profile().rank = {rank, spec.world_size, "test"};
  b.profile().provenance.input = "job.rank" + std::to_string(rank) + ".json";
  b.profile().provenance.device_activity_recorded = true;
  b.profile().provenance.host_ops_recorded = true;
  return std::move(t).build();
}

}  // namespace rooflab::testing
