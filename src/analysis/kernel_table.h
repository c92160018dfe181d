// SPDX-License-Identifier: Apache-2.0
// Device kernels by name over the kernels that start inside the window, with what their work needed
// where shapes or counters tell: FLOPs, bytes, the roof that binds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/kernel_class.h"
#include "analysis/units.h"
#include "hw/device_catalog.h"
#include "model/profile.h"

namespace rooflab::analysis {

enum class Roof : std::uint8_t { kUnknown, kMemory, kCompute, kLatency };
[[nodiscard]] std::string_view to_string(Roof r);

struct KernelRow {
  StringId name;
  KernelClass kernel_class = KernelClass::kOther;
  std::int64_t count = 0;
  Nanos sum, min, median, max;
  std::int64_t modelled = 0;    // launches whose work is known (and, for the roof, whose device is)
  Nanos modelled_sum;           // their time
  double flops = 0, bytes = 0;  // of the modelled launches
  Nanos roof_time;              // the least time the binding roof allows for them
  Roof limit = Roof::kUnknown;  // the roof with the larger time; kLatency when far below both
  std::string precision;        // "bf16": what the compute roof was taken for
  bool tensor_path = false;     // its name says that it uses the matrix units
  // Modelled launches that were more than 5 % faster than their roof: data came from a cache, or an
  // algorithm needs less work than the model's. Their roof time is taken as their own duration.
  std::int64_t above_roof = 0;
};

struct KernelTable {
  std::vector<KernelRow> rows;  // by time, largest first
  std::string device_name;      // the catalogue entry used; empty = unknown device, no roof
  model::DeviceId
      device;  // the one with the most kernel time in the window; the totals below are of it
  // Over compute kernels (no communication, no blit copies) that start inside the window, as the
  // rows are: Nanos the binding roofs need, the kernel time that the work model covers, and all
  // kernel time. useful_ratio = roof_time / window; modelled_time / kernel_time is the share it
  // knows of.
  Nanos roof_time, modelled_time, kernel_time;
  Nanos above_roof_time;               // of launches that KernelRow::above_roof counts
  std::optional<double> useful_ratio;  // absent without shapes or a known device
};

[[nodiscard]] KernelTable kernel_table(const model::Profile& profile, const KernelClasses& classes,
                                       const std::vector<model::SpanId>& ops, const Window& window,
                                       const hw::DeviceCatalog& catalog);

}  // namespace rooflab::analysis
