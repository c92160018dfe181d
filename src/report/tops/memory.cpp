// SPDX-License-Identifier: Apache-2.0
// Allocations by device, with peaks where they are recorded: `top --by memory`.
#include "analysis/op_table.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Cell recorded(Bytes bytes) { return bytes.value >= 0 ? Cell(bytes.value) : Cell(); }

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& /*style*/) {
  Table t;
  t.id = "memory";
  t.title = "Memory events in the file";
  t.columns = {{"device", "device", Unit::kText},
               {"allocations", "allocs", Unit::kCount},
               {"releases", "frees", Unit::kCount},
               {"allocated_bytes", "allocated", Unit::kBytes},
               {"released_bytes", "released", Unit::kBytes},
               {"peak_allocated_bytes", "peak", Unit::kBytes},
               {"peak_reserved_bytes", "reserved", Unit::kBytes},
               {"peak_time_ns", "peak at", Unit::kNanos}};
  for (const analysis::MemoryRow& row : analysis::memory_table(*a.profile).rows) {
    const bool host = row.device_type == model::MemoryDevice::kHost;
    t.rows.push_back({host ? std::string("host") : "device " + std::to_string(row.device_index),
                      row.allocations, row.releases, row.allocated.value, row.released.value,
                      recorded(row.peak_allocated), recorded(row.peak_reserved),
                      row.peak_time.value});
  }
  if (t.rows.empty()) t.notes = {"the file holds no memory events: record profile_memory=True"};
  return t;
}

}  // namespace

Top top_memory() { return {"memory", "allocations and peaks", &build}; }

}  // namespace rooflab::report
