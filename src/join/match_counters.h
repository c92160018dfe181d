// SPDX-License-Identifier: Apache-2.0
// Measured launches to the launches of a trace, in one profile that holds both: by name (one
// spelling for both recorders), grid, block and order. Times are never compared: a measured launch
// ran alone.
//
//   CounterMatch match = match_counters(profile);  // fills profile.measured.work
//   match.text() == "36 of 38 measured launches were found in the trace: 36 by name, grid and
//   block"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/profile.h"

namespace rooflab::join {

struct CounterMatch {
  std::int64_t launches = 0;  // measured ones
  std::int64_t by_order =
      0;  // of a name and size that is launched equally often in both: one by one
  std::int64_t by_size = 0;  // of a name and size with other numbers of launches: any of them
  std::int64_t by_name = 0;  // the name alone, where either side has no sizes
  // Kernels that were not matched, each with the reason; by name.
  struct Refused {
    std::string kernel, why;
    std::int64_t launches = 0;
  };
  std::vector<Refused> refused;
  [[nodiscard]] std::int64_t matched() const { return by_order + by_size + by_name; }
  [[nodiscard]] std::string text() const;
};

// Matches afresh: what was matched before is forgotten.
CounterMatch match_counters(model::Profile& profile);

}  // namespace rooflab::join
