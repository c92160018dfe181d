// SPDX-License-Identifier: Apache-2.0
// JSON that was cut off, made whole: everything after the last value that ended is dropped, and
// what is open there is closed.
//
//   {"a": [{"b": 1}, {"b": 2      ->  {"a": [{"b": 1}]}
#pragma once

#include <string>

namespace rooflab::importers::json {

enum class Closed { kWasWhole, kRepaired, kHopeless };

// kHopeless: brackets that do not match, more than 256 of them open, or nothing that ended.
[[nodiscard]] Closed close_json(std::string& text);

}  // namespace rooflab::importers::json
