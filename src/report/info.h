// SPDX-License-Identifier: Apache-2.0
// What is inside a file, without judging it: `rooflab info`.
#pragma once

#include <string>

#include "analysis/metrics.h"
#include "model/profile.h"
#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

[[nodiscard]] std::string info_text(const model::Profile& profile, const analysis::Metrics& metrics,
                                    const Style& style);
[[nodiscard]] Json info_json(const model::Profile& profile, const analysis::Metrics& metrics);
[[nodiscard]] Table info_table(const model::Profile& profile, const analysis::Metrics& metrics);

}  // namespace rooflab::report
