// SPDX-License-Identifier: Apache-2.0
// Calls in which a launching thread waits for the device between its launches: reading a value
// back, explicit synchronisation. Which calls wait stands in data/markers/sync.json.
//
// While such a call waits, nothing can be queued behind the running work, and no launches across it
// can be captured and replayed as one.
//
//   320 stream waits inside one read-back operator, two launches for each
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/accounting.h"
#include "analysis/host_tree.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct BlockingCall {
  StringId call;
  StringId activity;  // the outermost operator around it; empty where there is none
  std::int64_t count = 0;
  Nanos time;
};

struct BlockingCalls {
  std::vector<BlockingCall> rows;  // in the window, by count, largest first
  std::int64_t count = 0;          // of all rows
  std::int64_t launches = 0;       // calls in the window that launched device work
  // Device idle while a launching thread was in such a call or in the operator around one.
  Nanos idle;
};

[[nodiscard]] BlockingCalls blocking_calls(const model::Profile& profile, const HostTree& tree,
                                           const Accounting& accounting);

}  // namespace rooflab::analysis
