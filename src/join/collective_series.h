// SPDX-License-Identifier: Apache-2.0
// The collectives of one rank, by process group in order of time: what ranks are matched by.
//
// Messages between two ranks (send, recv) are left out: they are not collectives.
#pragma once

#include <string>
#include <vector>

#include "model/profile.h"

namespace rooflab::join {

struct Series {
  std::string group;                  // the group's name and the ranks in it, as recorded
  std::vector<std::int64_t> members;  // ranks; empty where the record does not list them all
  std::vector<model::WorkId> works;
};

[[nodiscard]] std::vector<Series> collective_series(const model::Profile& profile);

// Empty if two works can be parts of one collective, else how they differ: "all_reduce of 4,096
// float is all_reduce of 8,192 float there".
[[nodiscard]] std::string difference(const model::Profile& a, model::WorkId in_a,
                                     const model::Profile& b, model::WorkId in_b);

}  // namespace rooflab::join
