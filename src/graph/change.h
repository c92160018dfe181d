// SPDX-License-Identifier: Apache-2.0
// A change that a user could make, as an edit of a scenario: one file src/graph/changes/<id>.cpp
// with a function `Change change_<id>()`.
//
// The edit is asked three times, for the least, the likely and the most that the change may bring:
// where a ceiling (link rate, roof, launch cost) is not known exactly, its range goes into the
// three answers. An edit that finds nothing to change says so in Applied::count = 0.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/change_call.h"
#include "graph/scenario.h"

namespace rooflab::graph {

enum class Outlook : std::uint8_t { kLeast, kLikely, kMost };

struct Applied {
  std::int64_t count = 0;            // calls, copies or kernels changed in the file
  std::string what;                  // "1,920 launches become 8 graph launches"
  std::vector<std::string> assumes;  // what must hold for it: "shapes do not change"
  bool bound = false;                // the result is the most that can be gained, not a prediction
};

struct Change {
  const char* name;       // "graph-launches"
  const char* arguments;  // "" or "N", "[NAME]", "KERNEL F": for help
  const char* what;       // one line for help and the report
  // Error (usage): arguments that do not fit; `where` = the change's name.
  std::function<Result<Applied>(const Graph&, const std::vector<std::string>& arguments, Outlook,
                                Scenario&)>
      apply;
  // Arguments to try where none are given: "which changes would help" needs some.
  std::vector<std::vector<std::string>> tries = {};
};

std::vector<Change> all_changes();  // generated
[[nodiscard]] const Change* find_change(std::string_view name);

}  // namespace rooflab::graph
