// SPDX-License-Identifier: Apache-2.0
// Which host ranges are the units of work: step markers, the range the user named, or a user range
// that repeats.
//
// Of the ranges that repeat at one nesting level the one whose instances launch most of the kernel
// time is taken (it tells steps from parts of steps), of near equals the outermost; none if that is
// less than half of it. Numbers in names do not tell ranges apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/markers.h"
#include "analysis/selection.h"
#include "analysis/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

// A kernel's launch, for asking which range it was launched in.
struct LaunchedKernel {
  std::int64_t launched =
      0;  // begin of the launch call, or of the operator where no call is recorded
  std::int64_t start = 0, duration = 0;
};

struct UnitRanges {
  UnitSource source = UnitSource::kNone;
  std::string marker;
  std::vector<model::SpanId> ranges;  // in order of time, disjoint
};

// `kernels` are sorted by launch; `kernel_ns` is the time of all kernels of their stream, also of
// those whose launch is not known. With no kernels at all the longest total time decides.
[[nodiscard]] UnitRanges find_unit_ranges(const model::Profile& profile, const HostTree& tree,
                                          MarkedNames& names, const Selection& selection,
                                          const std::vector<LaunchedKernel>& kernels,
                                          std::int64_t kernel_ns);

}  // namespace rooflab::analysis
