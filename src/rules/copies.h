// SPDX-License-Identifier: Apache-2.0
// Copies between host and device (or devices) as the rules about copies see them: what of them
// nothing hides, what computation could hide, and the many small ones.
//
// Copies from pageable memory are kept apart: they must be pinned before they can overlap anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/analysis.h"

namespace rooflab::rules {

struct ExposedCopies {
  Nanos exposed;       // over a link, not pageable, nothing beside it
  Nanos hidden;        // copies that ran beside computation
  Nanos free_compute;  // computation with no copy beside it: what could hide the exposed ones
  std::vector<std::string> owners;                // largest first
  std::int64_t count = 0, on_compute_stream = 0;  // link copies that start in the window
  [[nodiscard]] Nanos can_hide() const { return std::min(exposed, free_compute); }
};
[[nodiscard]] ExposedCopies exposed_copies(const analysis::Analysis& a);

// The larger part of them could run beside the computation that is there. Divides exposed copies
// between `copy_not_overlapped` (true) and `transfer_bound` (false).
[[nodiscard]] bool computation_can_hide(const ExposedCopies& copies);

// Achieved rate of link copies that are not pageable, bytes/s; 0 = sizes not recorded.
[[nodiscard]] double link_rate(const analysis::Analysis& a);

constexpr std::int64_t kSmallCopyBytes = 64 * 1024;

struct SmallCopies {
  std::int64_t count = 0;
  std::int64_t awaited = 0;  // the call after theirs waits for the device
  Bytes bytes;
  Nanos device;       // time of the copies on the device
  Nanos calls;        // time of the calls that launched them
  Nanos exposed;      // part of the window that they own
  Nanos idle;         // idle that one of them ends, in calls, framework and waits
  StringId activity;  // the outermost operator around most of them
  [[nodiscard]] Nanos owned() const { return exposed + idle; }
};
// Copies over the host's link of at most kSmallCopyBytes that start in the window. Values that the
// host reads back and waits for at once are left out: the program needs them one by one.
[[nodiscard]] SmallCopies small_copies(const analysis::Analysis& a);
// Nearly all waits between launches belong to such copies: `small_copies` says it, `host_sync` not.
[[nodiscard]] bool copies_make_the_waits(const analysis::Analysis& a);

}  // namespace rooflab::rules
