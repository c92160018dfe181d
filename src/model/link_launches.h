// SPDX-License-Identifier: Apache-2.0
// Which call launched which device work: by (process, correlation). Called by Builder on sorted
// tables.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace rooflab::model {

struct LinkCounts {
  std::int64_t calls = 0;     // that may launch: of the runtime or the driver, with a correlation
  std::int64_t unlinked = 0;  // works without a launch record
  std::int64_t duplicates =
      0;  // calls of one kind and process with a correlation that another one has
};

// Fills WorkTable::launch. A stream whose process is not known takes, among the processes that have
// the correlation, the call that started last before the work did.
LinkCounts link_launches(Profile& profile);

// Fills WorkTable::op for works without a launch, from the operators' external ids. Both vectors
// are by row and may be empty. Returns how many were named.
std::int64_t link_ops_by_external_id(Profile& profile,
                                     const std::vector<std::int64_t>& span_external_ids,
                                     const std::vector<std::int64_t>& work_external_ids);

}  // namespace rooflab::model
