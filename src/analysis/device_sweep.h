// SPDX-License-Identifier: Apache-2.0
// One device's time line as segments: which work owns each stretch of time in which any is active,
// and which work ends each gap in which none is.
//
// Among active work the owner is the highest of compute > communication > copy > memset, among
// equals the earliest start, then the lowest stream, then the lowest row. A work that begins
// exactly where one of the same name on its stream ended counts from the start of that one, so that
// cutting a kernel in two changes nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "analysis/kernel_class.h"
#include "model/profile.h"

namespace rooflab::analysis {

enum class WorkGroup : std::uint8_t { kCompute, kComm, kCopy, kMemset };  // in order of precedence

// Kernels by what they do, not by the row kind: a collective is communication, a blit kernel is a
// copy.
[[nodiscard]] WorkGroup work_group(const model::Profile& profile, const KernelClasses& classes,
                                   std::size_t row);

struct Segment {
  std::int64_t start = 0, end = 0;
  model::WorkId work;  // the owner, or for a gap the work that ends it
  bool gap = false;
  // Gap only: the launch call of the ending work had other work on this device that started before
  // the gap.
  bool inside_launch = false;
};

struct DeviceTimeline {
  std::vector<Segment> segments;  // from the first start to the last end, gapless
  // Time in which communication / a copy was active, whoever owned it.
  std::vector<Segment> comm_active, copy_active;  // unions, in order; only start and end are set
};

// The rows of device work by device row, each in order of start; with `stream`, of that stream
// only.
[[nodiscard]] std::vector<std::vector<model::WorkId>> work_by_device(
    const model::Profile& profile, std::optional<std::int64_t> stream);

// `launched` is scratch: one false for every span, and given back so.
[[nodiscard]] DeviceTimeline sweep_device(const model::Profile& profile,
                                          const KernelClasses& classes,
                                          const std::vector<model::WorkId>& rows,
                                          std::vector<bool>& launched);

}  // namespace rooflab::analysis
