// SPDX-License-Identifier: Apache-2.0
// Conditions under which a run fails against its base:
//
//   step_time>+5%              the step without the recorder's cost takes 5 % more
//   step_time.recorded>+5%     as recorded
//   device_busy_per_unit>+5%   device work of a unit
//
// A condition is met or not where the whole interval of the change lies on one side of it; where it
// lies on both, noise is wider than what is asked and the condition is undecided.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "compare/comparison.h"

namespace rooflab::compare {

struct Condition {
  std::string text;  // as the user wrote it
  Basis figure = Basis::kDeflated;
  bool above = true;  // >, else <
  double ratio = 1;   // after / before at which it is met: 1.05 for +5%
};
[[nodiscard]] Result<Condition> parse_condition(std::string_view text);

enum class Met { kNo, kYes, kUndecided };
struct Judged {
  Condition condition;
  Met met = Met::kUndecided;
  std::string why;  // undecided: what stands in the way
};
[[nodiscard]] Judged judge(const Condition& condition, const Comparison& comparison);

}  // namespace rooflab::compare
