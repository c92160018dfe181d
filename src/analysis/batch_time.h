// SPDX-License-Identifier: Apache-2.0
// What each work would take if a step held N items instead of one: a matrix product reads its
// weights once for all of them, streaming kernels move N times the bytes, an update of parameters
// stays as it is.
//
// A kernel's own time is scaled by what the roofs say for N items over one, never below its time
// now and never above N times it. Kernels without shapes: by the rounds of blocks that the device
// needs, where the launch geometry is recorded, else N times.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "analysis/kernel_time.h"

namespace rooflab::analysis {

// By work row, for all N items together.
[[nodiscard]] std::vector<TimeRange> batched_times(const Analysis& analysis, double items);

}  // namespace rooflab::analysis
