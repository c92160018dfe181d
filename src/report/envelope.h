// SPDX-License-Identifier: Apache-2.0
// The frame around every JSON answer, so that scripts read all verbs alike:
//   {"schema":"rooflab.why/1","tool":{"name","version"},"inputs":[...],"data":{...},"warnings":[{"message","where"}]}
// and around every failure: {"error":{"code","message","where","hint"}}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "report/table.h"

namespace rooflab::report {

struct Warning {
  std::string message;
  std::string where;
  std::string hint;
};

[[nodiscard]] std::string_view to_string(ErrorCode code);  // "usage", "unreadable" ...
[[nodiscard]] Json envelope(std::string_view verb, std::string_view version, Json inputs, Json data,
                            const std::vector<Warning>& warnings);
[[nodiscard]] Json error_json(const Error& error);
// What an input was: path, format, tool, rank.
[[nodiscard]] Json input_json(const model::Profile& profile);

}  // namespace rooflab::report
