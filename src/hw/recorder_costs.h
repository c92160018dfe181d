// SPDX-License-Identifier: Apache-2.0
// What a recorder costs the host, from data/recorders/*.json: k times the file's own median launch
// call for each host record, by recording mode, with its range.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct RecorderCost {
  std::string tool, mode;
  double low = 0, likely = 0, high = 0;  // k
  std::string source, date;
};

[[nodiscard]] Result<std::vector<RecorderCost>> parse_recorder_costs(std::string_view json,
                                                                     std::string_view path);
// The shipped entry for a tool and mode; null: not calibrated, so nothing may be deflated.
[[nodiscard]] const RecorderCost* recorder_cost(std::string_view tool, std::string_view mode);

}  // namespace rooflab::hw
