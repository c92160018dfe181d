// SPDX-License-Identifier: Apache-2.0
// What a measured kernel is bound by: the busiest part of the memory system, the busiest pipe of
// the multiprocessors, or latency where neither is busy enough (kBoundPercent).
#pragma once

#include "analysis/kernel_counters.h"

namespace rooflab::analysis {

// Sets limit, level, of_shared and level_percent from the kernel's values. Where they do not tell
// the limit stays unknown: compute needs pipes (the multiprocessors' total counts loads and stores
// too), latency needs both sides.
void find_position(MeasuredKernel& kernel);

// The largest stall reason but for those of warps that are ready, and its share of the time a warp
// spends for an instruction.
struct Stall {
  std::string_view metric;  // "stall_barrier"; empty: not measured
  double share = 0;
};
[[nodiscard]] Stall largest_stall(const MeasuredKernel& kernel);
[[nodiscard]] std::optional<double> stall_share(const MeasuredKernel& kernel,
                                                std::string_view metric);

}  // namespace rooflab::analysis
