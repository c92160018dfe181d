// SPDX-License-Identifier: Apache-2.0
// Gains and the changes behind them, in words and as JSON, alike on every page.
//
//   "8.7x (5.4-12.1x)"     "at most 1.46x"     "1.07x (1.05-1.10x), as recorded 1.21x"
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/table.h"
#include "rules/finding.h"
#include "verdict/gain_basis.h"

namespace rooflab::report {

[[nodiscard]] std::string factor_words(double factor);  // "1.46", "8.7", "120"
[[nodiscard]] std::string gain_words(const rules::Gain& gain);
[[nodiscard]] Json gain_json(const std::optional<rules::Gain>& gain);
[[nodiscard]] std::string call_words(const graph::ChangeCall& call);  // "loader-workers 8"
[[nodiscard]] std::string calls_words(const std::vector<graph::ChangeCall>& calls);

// Why no gain is given; empty for a file that is suitable.
[[nodiscard]] std::string not_predicted_words(const verdict::GainBasis& basis);
// "the step is reproduced to 0.7 %; 62.1 % of it is recorded host time"
[[nodiscard]] std::string reproduction_words(const verdict::GainBasis& basis);
[[nodiscard]] std::string deflation_words(const verdict::GainBasis& basis);
[[nodiscard]] Json reproduction_json(const verdict::GainBasis& basis);
[[nodiscard]] Json deflation_json(const verdict::GainBasis& basis);

}  // namespace rooflab::report
