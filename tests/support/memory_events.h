// SPDX-License-Identifier: Apache-2.0
// Allocator totals put into a profile by hand.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace rooflab::testing {

inline void add_memory_total(model::Profile& p, std::int64_t time, std::int32_t device,
                             std::int64_t allocated, std::int64_t reserved) {
  model::MemoryEventTable& m = p.memory_events;
  m.time.push_back(time);
  m.track.emplace_back();
  m.device_type.push_back(model::MemoryDevice::kDevice);
  m.device_index.push_back(device);
  m.bytes.push_back(1);
  m.address.push_back(0);
  m.total_allocated.push_back(allocated);
  m.total_reserved.push_back(reserved);
}

}  // namespace rooflab::testing
