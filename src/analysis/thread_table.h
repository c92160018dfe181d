// SPDX-License-Identifier: Apache-2.0
// Host threads: how long each was inside recorded activities, and the device work it launched.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct ThreadRow {
  std::int64_t pid = 0, tid = 0;
  StringId name;
  std::int64_t spans = 0, launches = 0;
  Nanos active;       // union of its top-level spans
  Nanos in_calls;     // sum of its runtime and driver calls that are not inside another such call
  Nanos device_time;  // of the work it launched, summed
};

// Threads with spans, by active time, largest first. With `between`, times are cut at that window's
// begin and end; a record counts if a part of it is inside, a launch if its call begins inside.
[[nodiscard]] std::vector<ThreadRow> thread_table(const model::Profile& profile,
                                                  const HostTree& tree,
                                                  const Window* between = nullptr);

}  // namespace rooflab::analysis
