// SPDX-License-Identifier: Apache-2.0
// Units of work (steps) and the device steps that time them.
//
// Host units come from ProfilerStep or XLA step markers, else a user range repeated >= 3 times at
// one nesting level (or
// --step-range), else periodic kernel sequences. Device step i runs from the start of the first
// kernel launched inside host unit i, on the stream with the most kernel time, to that of unit i +
// 1: host ranges are not step times, since launches run ahead, and copies are prefetched. The last
// unit has no such end and is left out of per-unit figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/kernel_class.h"
#include "analysis/selection.h"
#include "base/result.h"
#include "model/profile.h"

namespace rooflab::analysis {

enum class UnitSource : std::uint8_t { kNone, kStepMarker, kUserRange, kKernelPeriod };
[[nodiscard]] std::string_view to_string(UnitSource s);

struct Unit {
  std::string name;            // "ProfilerStep#6"
  Nanos host_start, host_end;  // zero-length where the unit was found on the device only
  Nanos device_start;          // valid if has_device
  Nanos
      device_end;  // start of the next unit's first kernel; the last unit: end of its own last work
  bool has_device = false;
  bool complete = false;  // device_end is the next unit's start
};

struct Units {
  UnitSource source = UnitSource::kNone;
  std::string marker;       // the range's name
  model::DeviceId device;   // whose stream times them
  std::vector<Unit> units;  // in time order
};

// Communication, copies and sets never start a step: `classes` tells them from computation.
[[nodiscard]] Units find_units(const model::Profile& profile, const HostTree& tree,
                               const KernelClasses& classes, const Selection& selection);

enum class WindowBasis : std::uint8_t { kDeviceSteps, kDeviceSpan, kHostSpan, kUser };
[[nodiscard]] std::string_view to_string(WindowBasis b);

struct Window {
  Nanos start, end;
  WindowBasis basis = WindowBasis::kDeviceSpan;
  std::size_t first_unit = 0,
              unit_count = 0;  // whole units inside, counted from Units::units[first_unit]
  // Over the units inside: window / units (the figure to use), and for comparison median and 95th
  // percentile.
  Nanos unit_mean, unit_median, unit_p95;
  double burst_period_units = 1;  // units come in bursts of about this many
  bool steady = true;
  std::string note;  // why units were left out, or why it is not steady; empty if neither
  [[nodiscard]] Nanos length() const { return end - start; }
};

// The window of the figures: device steps when >= 3 units exist, else the device span (host span
// without device work). A filter that selects nothing is an Error.
[[nodiscard]] Result<Window> choose_window(const model::Profile& profile, const Units& units,
                                           const Selection& selection);

}  // namespace rooflab::analysis
