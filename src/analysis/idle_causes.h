// SPDX-License-Identifier: Apache-2.0
// Idle time by what the host did meanwhile: the stretches of the accounting, summed by owner, host
// activity and thread.
//
//   idle.starved.input:load_batch   load_batch on thread 467   371.6 ms in 7 gaps, the longest 61.2
//   ms
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/accounting.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct IdleCause {
  std::string owner;
  StringId activity;     // name of the host span; empty where none is known
  model::TrackId track;  // its thread; invalid where none is known
  Nanos time;
  std::int64_t gaps = 0;  // gaps it had a part in
  Nanos longest;          // its longest part of one gap
  Nanos longest_start;
  model::WorkId longest_work;  // the work that ended that gap
  int hops = 0;                // most threads the search moved across
};

// Over all devices, by time, largest first; ties by owner, then first occurrence.
[[nodiscard]] std::vector<IdleCause> idle_causes(const model::Profile& profile,
                                                 const Accounting& accounting);

// One gap on one device: all idle stretches up to the work that ends it.
struct Gap {
  model::DeviceId device;
  Nanos start, end;
  model::WorkId work;       // what ends it; invalid at the end of the window
  std::uint32_t owner = 0;  // of its largest part, index into DeviceAccounting::owners
  model::SpanId cause;      // of that part
  std::string owner_name;
};
// Longest first; ties by start.
[[nodiscard]] std::vector<Gap> gaps(const Accounting& accounting);

}  // namespace rooflab::analysis
