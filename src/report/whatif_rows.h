// SPDX-License-Identifier: Apache-2.0
// What the forms of a `whatif` answer share: the step after, and owners before and after.
#pragma once

#include <string>
#include <vector>

#include "verdict/whatif.h"

namespace rooflab::report {

// Nanoseconds as a time on the page: whole ones.
[[nodiscard]] inline Nanos whole_nanos(double ns) { return Nanos(static_cast<std::int64_t>(ns)); }

// The step after: the likely one, and the step before over the most and the least gain.
struct StepAfter {
  double low = 0, likely = 0, high = 0;
};
[[nodiscard]] StepAfter step_after(const verdict::Tried& tried);

struct OwnerChange {
  std::string owner;
  double before_ratio = 0, after_ratio = 0;  // each of its own step
  double before_ns = 0, after_ns = 0;        // of a step
};
// The largest, before or after, first.
[[nodiscard]] std::vector<OwnerChange> owner_changes(const verdict::Tried& tried);

}  // namespace rooflab::report
