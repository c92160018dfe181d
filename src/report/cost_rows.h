// SPDX-License-Identifier: Apache-2.0
// What the forms of a `cost` answer share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/cost.h"

namespace rooflab::report {

// A finding's change as money over the fleet's hours. A bound has `range.high` only.
struct CostRow {
  std::string rule, what;
  rules::Gain gain;
  cost::Range range;
};
[[nodiscard]] std::vector<CostRow> cost_rows(const CostReport& report);

struct IdleCost {
  Ratio busy;
  cost::Money spent, idle;
  std::optional<Ratio> useful;  // of the window, at the device's roof
  std::optional<cost::Money> not_useful;
};
[[nodiscard]] IdleCost idle_cost(const CostReport& report);
// The same fleet for a year.
[[nodiscard]] double years(const cost::Fleet& fleet);

}  // namespace rooflab::report
