// SPDX-License-Identifier: Apache-2.0
// The answer of `rooflab diff A B`. Pure formatting of compare/comparison.h.
#pragma once

#include <string>

#include "compare/comparison.h"
#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

struct DiffReport {
  std::string before, after;  // as the user named them
  compare::Comparison comparison;
  double units_before = 0, units_after = 0;
};

// "slower: 0.92x", "no difference", "refused" ...
[[nodiscard]] std::string diff_class(const compare::Comparison& comparison);
[[nodiscard]] std::string diff_text(const DiffReport& report, const Style& style);
[[nodiscard]] Json diff_json(const DiffReport& report);
// What kernels changed by.
[[nodiscard]] Table diff_table(const DiffReport& report);

}  // namespace rooflab::report
