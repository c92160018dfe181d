// SPDX-License-Identifier: Apache-2.0
// What somebody means by "20 % better", as a speed-up for the same work. Three things are meant by
// it, which differ in money; a bare percentage is refused with the question.
//
//   parse_improvement("x1.2")      1.2
//   parse_improvement("+20%rel")   the useful share times 1.2
//   parse_improvement("+20pts", Ratio{0.5})   0.5 -> 0.7
//   parse_improvement("time-20%")  the time falls by a fifth: 1.25
//   parse_improvement("20%")       error: relative, points, or time?
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace rooflab::cost {

// The speed-up, > 0. `useful`: the share today, needed for points. Errors are kUsage.
[[nodiscard]] Result<double> parse_improvement(std::string_view text, std::optional<Ratio> useful);

}  // namespace rooflab::cost
