// SPDX-License-Identifier: Apache-2.0
// What the kernel rules report about the faults that analysis found (analysis/kernel_faults.h):
// sums over the launches that start inside the window, and the words for an operator call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "rules/finding.h"

namespace rooflab::rules {

[[nodiscard]] bool in_window(const analysis::Analysis& a, model::WorkId work);

struct SlowSum {
  std::int64_t count = 0, named = 0;          // named: the kernel's name shows the fault
  bool timed = false;                         // a change can be simulated
  Nanos now, then;                            // then: likely; equal to now where it is not known
  const analysis::SlowWork* worst = nullptr;  // the longest launch
};
[[nodiscard]] SlowSum sum_of(const analysis::Analysis& a,
                             const std::vector<analysis::SlowWork>& works);

struct RunSum {
  std::int64_t runs = 0, works = 0;
  bool timed = false;  // a change can be simulated
  Nanos now, then;
  double bytes_now = 0, bytes_then = 0;
  const analysis::WorkRun* largest = nullptr;  // by time
};
[[nodiscard]] RunSum sum_of(const analysis::Analysis& a, const analysis::WorkRuns& runs);

// Kernels that are limited by `roof` and reach `least_ratio` of it, over the window's kernel table.
struct AtRoof {
  Nanos time, roof_time;
  std::int64_t launches = 0;
  const analysis::KernelRow* largest = nullptr;
};
[[nodiscard]] AtRoof at_roof(const analysis::Analysis& a, analysis::Roof roof, double least_ratio);

// Such kernels as a finding, without id, title, chain, falsifier and fixes; absent where they hold
// less than `least_share` of the window. `peak` is the roof in words: "memory bandwidth".
[[nodiscard]] std::optional<Finding> position_at_roof(const analysis::Analysis& a,
                                                      analysis::Roof roof, double least_ratio,
                                                      double least_share, std::string_view peak);

[[nodiscard]] Ratio share_of_window(const analysis::Analysis& a, Nanos time);
[[nodiscard]] std::string kernel_name(const analysis::Analysis& a, model::WorkId work);
// "aten::mm [[4096,4095],[4095,4093]]"; the operator's name alone without shapes, "" without one.
[[nodiscard]] std::string call_text(const analysis::Analysis& a, model::WorkId work);
// "aten::sigmoid, aten::mul, aten::tanh (3 kernels)": the operators of a run, shortened.
[[nodiscard]] std::string operators_text(const analysis::Analysis& a,
                                         const analysis::WorkRuns& runs,
                                         const analysis::WorkRun& run);
// "9.0" for 90.
[[nodiscard]] std::string generation_text(int generation);

}  // namespace rooflab::rules
