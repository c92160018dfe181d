// SPDX-License-Identifier: Apache-2.0
// Operators, modules and allocations: who on the framework's side the device time belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct OpRow {
  StringId name, dims, types;  // dims and types empty when grouped by name only
  std::int64_t calls = 0;
  // An operator inside one of its own row counts once in host_sum and device_sum.
  Nanos host_sum, host_self;      // with and without child operators
  Nanos device_sum, device_self;  // of work launched under it / directly by it (innermost operator)
  std::int64_t kernels = 0;       // launched directly
};

struct OpTable {
  std::vector<OpRow> rows;  // by device_self, then host_self
};
// With `between`, only operators that begin and work that starts in that window; a launch that runs
// later counts where it runs.
[[nodiscard]] OpTable op_table(const model::Profile& profile, const HostTree& tree,
                               const std::vector<model::SpanId>& ops, bool by_shape,
                               const Window* between = nullptr);

struct ModuleRow {
  std::string path;  // "Net/Linear_0", from nn.Module frames
  std::int64_t calls = 0;
  Nanos host_sum, device_sum;
  Nanos device_backward;  // the part of device_sum that backward operators launched, by
                          // forward-backward links
};
struct ModuleTable {
  std::vector<ModuleRow> rows;  // by device_sum
};
[[nodiscard]] ModuleTable module_table(const model::Profile& profile, const HostTree& tree);

struct MemoryRow {
  model::MemoryDevice device_type = model::MemoryDevice::kDevice;
  std::int32_t device_index = -1;
  std::int64_t allocations = 0, releases = 0;
  Bytes allocated, released;            // totals
  Bytes peak_allocated, peak_reserved;  // as recorded; -1 = not recorded
  Nanos peak_time;
};
struct MemoryTable {
  std::vector<MemoryRow> rows;
};
[[nodiscard]] MemoryTable memory_table(const model::Profile& profile);

}  // namespace rooflab::analysis
