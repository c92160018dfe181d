// SPDX-License-Identifier: Apache-2.0
// The limit by what removing its cause would gain.
#pragma once

#include <string>
#include <vector>

#include "verdict/limit.h"

namespace rooflab::verdict {

// A cause is the limit from here (DESIGN section 4).
constexpr double kLimitGain = 1.10;
// Whether a limit is a resource that work occupies, not something that work waits for.
[[nodiscard]] bool holds_device(Limit limit);

// Sets limit, runner-up, margin, gain, confidence, summary and improvable_because.
void choose_by_gain(const analysis::Analysis& analysis, const rules::Findings& findings,
                    const std::vector<LimitShare>& shares, const Predictions& predictions,
                    Verdict& verdict);
// Whether what the recorder cost the host, not known exactly, decides between healthy and
// improvable; empty if not.
[[nodiscard]] std::string recorder_obstacle(const analysis::Analysis& analysis,
                                            const Verdict& verdict, const Predictions& predictions);

}  // namespace rooflab::verdict
