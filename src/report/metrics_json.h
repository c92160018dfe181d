// SPDX-License-Identifier: Apache-2.0
// Device figures and hygiene as JSON, alike in `why` and `info`.
#pragma once

#include "analysis/metrics.h"
#include "model/profile.h"
#include "report/table.h"

namespace rooflab::report {

[[nodiscard]] Json device_metrics_json(const analysis::DeviceMetrics& metrics);
[[nodiscard]] Json devices_json(const model::Profile& profile, const analysis::Metrics& metrics);
[[nodiscard]] Json hygiene_json(const model::Hygiene& hygiene);

}  // namespace rooflab::report
