// SPDX-License-Identifier: Apache-2.0
// What part of a profile the user asked for: the filters of `why`, `top`, `report` and `diff`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/units.h"

namespace rooflab::analysis {

struct Selection {
  std::optional<std::pair<std::int64_t, std::int64_t>>
      steps;                                      // units first..last, 0-based, inclusive
  std::int64_t skip_first = 0;                    // units left out at the start
  std::optional<std::pair<Nanos, Nanos>> window;  // relative to the first event of the file
  std::optional<std::int64_t> device;             // as the recorder numbers it
  std::optional<std::int64_t> stream;
  std::string name;         // RE2 pattern for rows of `top`; empty = all
  std::string step_range;   // --step-range NAME: the user range that marks a unit of work
  std::string input_range;  // --input-range NAME: a user range that is the input pipeline
};

}  // namespace rooflab::analysis
