// SPDX-License-Identifier: Apache-2.0
// The invariants that everything after an importer relies on: equally long columns, rows in their
// order, handles that point into their tables, enumerators that exist, no negative duration, no
// stack that is its own caller. The Builder makes them true; a run file has to prove them.
#pragma once

#include "base/result.h"
#include "model/profile.h"

namespace rooflab::model {

// The first invariant that does not hold, named as table.column and row.
[[nodiscard]] Result<void> validate(const Profile& profile);

}  // namespace rooflab::model
