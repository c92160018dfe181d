// SPDX-License-Identifier: Apache-2.0
// Allocations by device: counts and totals of what was recorded, and the allocator's own peaks
// where it says them. Nothing is summed up into a peak here: a recording starts with memory already
// in use.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/op_table.h"

namespace rooflab::analysis {

MemoryTable memory_table(const model::Profile& p) {
  const model::MemoryEventTable& events = p.memory_events;
  std::map<std::pair<model::MemoryDevice, std::int32_t>, MemoryRow> rows;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto [entry, fresh] = rows.try_emplace({events.device_type[i], events.device_index[i]});
    MemoryRow& row = entry->second;
    if (fresh) {
      row.device_type = events.device_type[i];
      row.device_index = events.device_index[i];
      row.peak_allocated = row.peak_reserved = Bytes(-1);
    }
    const std::int64_t bytes = events.bytes[i];
    if (bytes > 0) {
      row.allocations += 1;
      row.allocated = Bytes(saturating_add(row.allocated.value, bytes));
    } else if (bytes < 0) {
      row.releases += 1;
      // -INT64_MIN does not exist
      row.released = Bytes(saturating_add(
          row.released.value, -std::max(bytes, -std::numeric_limits<std::int64_t>::max())));
    }
    row.peak_reserved = std::max(row.peak_reserved, Bytes(events.total_reserved[i]));
    if (Bytes(events.total_allocated[i]) > row.peak_allocated) {
      row.peak_allocated = Bytes(events.total_allocated[i]);
      row.peak_time = Nanos(events.time[i]);
    }
  }
  MemoryTable table;
  for (auto& [key, row] : rows) table.rows.push_back(row);
  return table;
}

}  // namespace rooflab::analysis
