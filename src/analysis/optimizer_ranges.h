// SPDX-License-Identifier: Apache-2.0
// Which host spans lie in an optimizer's step, by the ranges that frameworks put around it, and
// what an update must move: data/markers/optimizers.json.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/host_tree.h"
#include "model/profile.h"

namespace rooflab::analysis {

// By span row: the range around it (itself included); invalid = none.
[[nodiscard]] std::vector<model::SpanId> optimizer_ranges(const model::Profile& profile,
                                                          const HostTree& tree);
// "Optimizer.step#AdamW.step" -> "AdamW"; empty if it is no such range.
[[nodiscard]] std::string_view optimizer_name(std::string_view range);
// An operator that updates all parameters in one pass.
[[nodiscard]] bool is_fused_update(std::string_view op_name);
// Values read and written for each parameter.
[[nodiscard]] int update_traffic(std::string_view optimizer);
// Of values whose element type is not recorded.
[[nodiscard]] int update_element_bytes();

}  // namespace rooflab::analysis
