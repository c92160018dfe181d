// SPDX-License-Identifier: Apache-2.0
// The answer of `rooflab gate`: each condition, and whether the run fails by it.
#pragma once

#include <string>
#include <vector>

#include "compare/gate.h"
#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

struct GateReport {
  compare::Comparison comparison;
  std::vector<compare::Judged> judged;
};

// Met if any condition is; else undecided if any is.
[[nodiscard]] compare::Met outcome_of(const GateReport& report);
[[nodiscard]] std::string gate_text(const GateReport& report, const Style& style);
[[nodiscard]] Json gate_json(const GateReport& report);
[[nodiscard]] Table gate_table(const GateReport& report);

}  // namespace rooflab::report
