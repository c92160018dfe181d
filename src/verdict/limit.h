// SPDX-License-Identifier: Apache-2.0
// Which limit an owner of the window speaks for, and how the window divides among limits.
//
//   idle.starved.input:load_batch -> input     idle.in_call -> launch     copy.exposed.h2d.pinned
//   -> transfer compute.gemm -> memory, compute, latency or device, in the proportions the kernel
//   table found
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/verdict.h"

namespace rooflab::verdict {

// Absent for compute (see above) and for time that no cause can be blamed for: idle.blocked,
// idle.unlinked (work may be missing), idle.profiler (the recording), idle.window.* (outside the
// window).
[[nodiscard]] std::optional<Limit> limit_of_owner(std::string_view owner);

struct LimitShare {
  Limit limit = Limit::kNone;
  Ratio ratio;
  std::string owner;  // the largest owner in it
  Ratio owner_ratio;  // and that owner's own share of the window, as the table shows it
};
// Shares of the window over all devices, largest first; only those above zero.
[[nodiscard]] std::vector<LimitShare> limit_shares(const analysis::Analysis& analysis);
// The same for a re-timed run: its owners, over `total`. Its kernels divide among the roofs as the
// recorded ones do.
[[nodiscard]] std::vector<LimitShare> limit_shares(const analysis::Analysis& analysis,
                                                   const std::vector<analysis::OwnerShare>& owners,
                                                   Nanos total);

}  // namespace rooflab::verdict
