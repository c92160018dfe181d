// SPDX-License-Identifier: Apache-2.0
// Fixes as the user would write them, from data/fixes/<rule>.json: the words of frameworks and
// vendors stay in data/.
//   {"fixes": [{"api": "pytorch", "text": "DataLoader(..., num_workers=8)", "unless": "workers"}]}
// A fix with "when": CONDITION is given only where the rule found that condition, one with "unless"
// only where it did not.
#pragma once

#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace rooflab::rules {

// Those for a finding under `condition` (empty: none). Empty for a rule without a file, or with a
// malformed one (the shipped ones are tested).
[[nodiscard]] std::vector<Fix> shipped_fixes(std::string_view rule, std::string_view condition);
// All of them, for `explain`.
[[nodiscard]] std::vector<Fix> shipped_fixes(std::string_view rule);

}  // namespace rooflab::rules
