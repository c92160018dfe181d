// SPDX-License-Identifier: Apache-2.0
// Whether units of work come in bursts: several batches arrive together and the next ones are
// waited for.
//
//   2 2 2 55 2 2 2 57 2 2 2 54  ->  period 4
//
// A unit is long when it takes more than three times the median; a burst ends with the first of
// adjacent long units. The period is the mean distance between such ends. Medians are no measure of
// such a run: only the mean over whole bursts is.
#pragma once

#include <cstdint>
#include <vector>

namespace rooflab::analysis {

struct Bursts {
  double period_units = 1;  // 1 = no bursts
  std::size_t count = 0;    // bursts seen
  double long_share = 0;    // share of all time that the long units take
};

[[nodiscard]] Bursts find_bursts(const std::vector<std::int64_t>& durations);

}  // namespace rooflab::analysis
