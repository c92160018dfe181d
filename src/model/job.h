// SPDX-License-Identifier: Apache-2.0
// Several profiles as the ranks of one job: which device works are one collective, and how the
// ranks' clocks differ. join/ fills it; one rank's profile alone cannot tell waiting from transfer.
//
//   job.collectives[0].arrivals[1].start   when rank 1 arrived at the first, on the first rank's
//                                          clock
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/profile.h"

namespace rooflab::model {

// A rank's own part of a collective, on the clock of the job's first rank.
struct Arrival {
  WorkId work;  // invalid: this rank is not in the collective's group
  std::int64_t start = 0, end = 0;
};

struct JobCollective {
  std::vector<Arrival> arrivals;  // by place in JobRank
  std::size_t last = 0;           // who arrived last
  std::int64_t transfer_ns = 0;   // the shortest part of any rank: nobody waits in it

  // How long the rank at `place` waited for the last one.
  [[nodiscard]] std::int64_t wait_ns(std::size_t place) const {
    const Arrival& own = arrivals[place];
    if (!own.work.valid()) return 0;
    return std::max<std::int64_t>(0, std::min(arrivals[last].start, own.end) - own.start);
  }
};

struct JobRank {
  std::int64_t rank = 0;
  std::string input;
  // This rank's clock minus the first rank's: the median over the ends of their collectives.
  std::int64_t clock_offset_ns = 0;
  // The same between the profiles' times, which count from each file's own epoch.
  std::int64_t time_offset_ns = 0;
  std::int64_t clock_residual_ns = 0;  // median distance of those ends from the median
  std::size_t matched = 0;             // collectives
  std::size_t unmatched = 0;           // of groups with ranks that are not here
};

struct Job {
  std::vector<JobRank> ranks;              // in order of rank
  std::vector<JobCollective> collectives;  // in order of time
  std::vector<std::string> notes;          // what was matched by what, and what was not
};

}  // namespace rooflab::model
