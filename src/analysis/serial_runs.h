// SPDX-License-Identifier: Apache-2.0
// Runs of kernels that follow one another on one stream although each leaves most of the device
// empty: fewer blocks than half of the multiprocessors, so that at least two fit side by side, and
// long enough that launching is not what spaces them.
//
// Whether one kernel of a run uses another's result is not recorded. Taken for independent:
// launches of different calls of one operator with equal arguments and equal geometry. That holds
// for loops over experts, heads or samples, and fails for recurrences, so whoever uses a run must
// say so.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/kernel_class.h"
#include "analysis/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct SerialRun {
  std::vector<model::WorkId> works;  // in order of start
  std::int64_t blocks = 0;           // of the largest of them
  std::int64_t fit = 0;              // how many fit on the device side by side, one block each
  Nanos time;
};

// Of the device with the window's kernels; empty where neither the file nor `multiprocessors` (of
// the catalogue, -1 = unknown) says how large it is.
[[nodiscard]] std::vector<SerialRun> serial_runs(const model::Profile& profile,
                                                 const KernelClasses& classes,
                                                 const std::vector<model::SpanId>& ops,
                                                 const Window& window, int multiprocessors);

// As the file says, else the catalogue; -1 = unknown.
[[nodiscard]] std::int64_t multiprocessors_of(const model::Profile& profile, model::DeviceId device,
                                              int catalogue);

}  // namespace rooflab::analysis
