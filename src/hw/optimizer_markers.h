// SPDX-License-Identifier: Apache-2.0
// data/markers/optimizers.json as rows: which ranges are the update of parameters, which operators
// are already fused, and how many values an update moves for each parameter.
//
// Refuses: no JSON object of that shape, a row without a pattern (but the last of `traffic`), a
// reason or a source, a count of values that is not 1..64.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct OptimizerTraffic {
  std::string pattern;  // of the optimizer's name; empty matches all
  int values = 0;       // read and written for each parameter
};

struct OptimizerMarkers {
  std::vector<std::string> ranges;  // group 1 is the optimizer's name
  std::vector<std::string> fused;
  std::vector<OptimizerTraffic> traffic;
  int element_bytes = 0;
};

[[nodiscard]] Result<OptimizerMarkers> parse_optimizer_markers(std::string_view json);

}  // namespace rooflab::hw
