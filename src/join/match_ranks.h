// SPDX-License-Identifier: Apache-2.0
// Profiles -> the ranks of one job, or why they are not.
//
// Collectives are matched per process group by their order, with equal names, types and sizes;
// where the recordings began or ended apart, at the place where their ends agree best in time.
// Clocks are then aligned on the ends: a collective ends on all its ranks together, whoever came
// late. Refused: one file, ranks of different world sizes, a rank twice, collectives that differ,
// no group whose ranks are all here.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/job.h"

namespace rooflab::join {

// Error kInconclusive: these are not the ranks of one job; the message says what differs.
// `profiles` in any order: the job's ranks are in order of rank, and `order[i]` is the profile of
// place i.
[[nodiscard]] Result<model::Job> match_ranks(const std::vector<const model::Profile*>& profiles,
                                             std::vector<std::size_t>& order);
// Whether the files claim to be ranks of one job at all: several, each with another rank and the
// same world size of more than one. False is no reason to tell the user anything.
[[nodiscard]] bool claim_one_job(const std::vector<const model::Profile*>& profiles);

}  // namespace rooflab::join
