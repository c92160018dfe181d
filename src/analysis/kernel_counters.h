// SPDX-License-Identifier: Apache-2.0
// Measured launches by kernel and size: which values are read, and what the kernel is bound by.
//
// Values are medians over a kernel's launches. Where there are several, the first of each process
// is left out: it loads the code, fills the instruction and address caches and so measures what
// later launches do not pay. Values that cannot be true are flagged and not used
// (counter_sanity.h).
//
//   for (const MeasuredKernel& k : a.counters.kernels)
//     if (const auto hits = k.value("l2_hit_percent")) ...
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/kernel_table.h"
#include "analysis/units.h"
#include "base/units.h"
#include "hw/device_catalog.h"
#include "model/profile.h"

namespace rooflab::analysis {

// A part of the device this busy is what limits a kernel; below it nothing is, and the kernel
// waits. The rule of the vendor whose counters these are (its "speed of light" section).
constexpr double kBoundPercent = 60;

struct FlaggedValue {
  std::string metric;
  double value = 0;
  std::string why;
  std::int64_t launches = 0;
};

struct MeasuredKernel {
  StringId name;
  model::DeviceId device;
  model::LaunchConfigId config;  // of the launches' grid and block
  std::string label;             // the name; with the grid where a name stands for several kernels
  std::vector<model::MeasuredId> launches;
  std::int64_t read = 0;                                    // launches whose medians are `values`
  std::vector<std::pair<std::string_view, double>> values;  // by metric; views into the profile
  std::vector<FlaggedValue> flagged;
  Nanos sum, median;  // of its launches while counters were read; 0: not measured
  // The same kernel in the trace, where launches were matched with it (join/match_counters.h).
  std::vector<model::WorkId> works;  // every launch of that name and size in the window
  Nanos window_time;
  std::optional<double> compulsory_bytes, model_flops;  // of one launch, by its operator's shapes

  Roof limit = Roof::kUnknown;
  std::string level;         // "dram", "l2", "l1"; "tensor", "fma", "issue" …; empty for latency
  bool of_shared = false;    // level l1, and most of it serves shared memory
  double level_percent = 0;  // how busy that part is; for latency the busiest part

  [[nodiscard]] std::optional<double> value(std::string_view metric) const;
  [[nodiscard]] double value_or(std::string_view metric, double otherwise) const {
    return value(metric).value_or(otherwise);
  }
};

struct KernelCounters {
  std::vector<MeasuredKernel> kernels;  // by window time, then by own time, largest first
  std::int64_t launches = 0, flagged = 0;
  Nanos total;        // of `sum`
  Nanos window_time;  // of `window_time`: the part of the window's kernels that is measured
};

[[nodiscard]] KernelCounters kernel_counters(const model::Profile& profile,
                                             const KernelClasses& classes,
                                             const std::vector<model::SpanId>& ops,
                                             const Window& window,
                                             const hw::DeviceCatalog& catalog);

// FLOPs of one launch, all units and precisions; absent where none was counted.
[[nodiscard]] std::optional<double> measured_flops(const MeasuredKernel& kernel);
// Bytes of device memory that one launch moved.
[[nodiscard]] std::optional<double> measured_dram_bytes(const MeasuredKernel& kernel);

}  // namespace rooflab::analysis
