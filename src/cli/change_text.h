// SPDX-License-Identifier: Apache-2.0
// What stands after --change: a change's name and its arguments, apart at spaces; quotes keep an
// argument together.
//
//   parse_change("remove-host 'range:log metrics'") -> {"remove-host", {"range:log metrics"}}
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/change_call.h"

namespace rooflab::cli {

// Usage error: empty, an open quote, or no such change (with the one that was meant).
[[nodiscard]] Result<graph::ChangeCall> parse_change(std::string_view text);
// All changes, a line each, for --help.
[[nodiscard]] std::string changes_help();

}  // namespace rooflab::cli
