// SPDX-License-Identifier: Apache-2.0
// Owners summed over devices, and the share of a whole branch of owner names.
//
// A branch is an owner and everything below it: "idle.starved" covers
// idle.starved.input:load_batch, "copy" all copies. The denominator is the sum of the devices'
// windows, so a share is the mean over devices weighted by window.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/accounting.h"

namespace rooflab::analysis {

[[nodiscard]] bool in_branch(std::string_view owner, std::string_view branch);
[[nodiscard]] Nanos window_total(const Accounting& accounting);
[[nodiscard]] Nanos branch_time(const Accounting& accounting, std::string_view branch);
[[nodiscard]] Ratio branch_ratio(const Accounting& accounting, std::string_view branch);
// Mean over devices of busy / window: the headline figure. 0 without devices.
[[nodiscard]] Ratio window_busy_ratio(const Accounting& accounting);
// Each owner once, over all devices, largest first; ties by name.
[[nodiscard]] std::vector<OwnerShare> owner_totals(const Accounting& accounting);

}  // namespace rooflab::analysis
