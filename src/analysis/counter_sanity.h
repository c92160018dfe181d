// SPDX-License-Identifier: Apache-2.0
// Counter values that cannot be true, so that no diagnosis rests on them: shares above all there
// is, more bytes than the memory can move in the time, clocks that no such device has, times and
// cycles that do not belong together, more threads than a warp has.
//
//   l2_hit_percent 100.39 -> "a share above 100 %"
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/kernel_counters.h"

namespace rooflab::analysis {

using CounterValues = std::vector<std::pair<std::string_view, double>>;  // of one launch, by metric

// Takes the impossible values out of `values` and adds them to `flagged`. `bandwidth`: of the
// device's memory, bytes/s; 0 where it is not known.
void take_out_impossible(CounterValues& values, double bandwidth,
                         std::vector<FlaggedValue>& flagged);
// FLOPs that are no matrix product's of these sizes: taken out of the kernel's values.
void check_flops(MeasuredKernel& kernel);

}  // namespace rooflab::analysis
