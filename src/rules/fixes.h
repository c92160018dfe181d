// SPDX-License-Identifier: Apache-2.0
// Fixes as the user would write them, from data/fixes/<rule>.json: the words of frameworks and
// vendors stay in data/.
//   {"fixes": [{"api": "pytorch", "text": "DataLoader(..., num_workers=8)", "unless": "Workers"}]}
// "when" and "unless" are texts that the finding's place must or must not contain.
#pragma once

#include <string_view>
#include <vector>

#include "rules/finding.h"

namespace rooflab::rules {

// Those that fit a finding at `where`. Empty for a rule without a file, or with a malformed one
// (the shipped ones are tested).
[[nodiscard]] std::vector<Fix> shipped_fixes(std::string_view rule, std::string_view where);
// All of them, for `explain`.
[[nodiscard]] std::vector<Fix> shipped_fixes(std::string_view rule);

}  // namespace rooflab::rules
