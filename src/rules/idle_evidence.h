// SPDX-License-Identifier: Apache-2.0
// The host activities behind one branch of idle owners, as evidence, and how often the calls of one
// marker were made.
//
//   "213 ms in 7 gaps, the longest 32.1 ms: load_module"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/markers.h"
#include "rules/finding.h"

namespace rooflab::rules {

struct IdleEvidence {
  std::string culprit;  // the activity with most idle time; empty where none is known
  std::vector<Evidence> rows;
};
[[nodiscard]] IdleEvidence idle_evidence(const analysis::Analysis& a, std::string_view branch,
                                         std::size_t most);

// Calls and operators inside the window whose name carries `marker`, on threads that launch work.
// Nested ones count once.
struct MarkedCalls {
  std::int64_t count = 0;
  Nanos time;
};
[[nodiscard]] MarkedCalls marked_calls(const analysis::Analysis& a, analysis::Marker marker);

// "1.5 a step", or "12 in the window" where no steps are known.
[[nodiscard]] std::string per_step(const analysis::Analysis& a, std::int64_t count);

}  // namespace rooflab::rules
