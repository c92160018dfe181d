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
#include <functional>
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

// What the segments do not show: when communication and copies were active, whoever owned the time.
struct ActiveTimes {
  std::vector<Segment> comm, copy;  // unions, in order; only start and end are set
};

// The rows of device work by device row, each in order of start; with `stream`, of that stream
// only.
[[nodiscard]] std::vector<std::vector<model::WorkId>> work_by_device(
    const model::Profile& profile, std::optional<std::int64_t> stream);

// Hands the segments of `rows` to `take`, in order and gapless from the first start to the last
// end. `launched` is scratch: one false for every span, and given back so.
ActiveTimes sweep_device(const model::Profile& profile, const KernelClasses& classes,
                         const std::vector<model::WorkId>& rows, std::vector<bool>& launched,
                         const std::function<void(const Segment&)>& take);

}  // namespace rooflab::analysis
