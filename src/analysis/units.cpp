// SPDX-License-Identifier: Apache-2.0
// Times host units on the device; where there are none, takes the period of the kernel sequence.
#include "analysis/units.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "analysis/device_sweep.h"
#include "analysis/kernel_period.h"
#include "analysis/unit_ranges.h"

namespace rooflab::analysis {
namespace {

using model::DeviceId;
using model::SpanId;
using model::TrackId;

constexpr std::size_t kMinUnits = 3;

bool is_compute_kernel(const model::Profile& p, const KernelClasses& classes, std::size_t row) {
  return p.work.kind[row] == model::WorkKind::kKernel &&
         work_group(p, classes, row) == WorkGroup::kCompute;
}

bool selected(const model::Profile& p, const Selection& selection, TrackId track) {
  const model::Track& t = p.tracks[track.row];
  if (t.kind != model::TrackKind::kStream || t.device.row >= p.devices.size()) return false;
  if (selection.device && p.devices[t.device.row].index != *selection.device) return false;
  return !selection.stream || t.stream == *selection.stream;
}

// The stream with the most kernel time. Computation only: a collective that waits for another rank
// is no progress. Where nothing computes, any kernel counts.
TrackId main_stream(const model::Profile& p, const KernelClasses& classes,
                    const Selection& selection) {
  std::vector<std::int64_t> compute(p.tracks.size(), 0), any(p.tracks.size(), 0);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const TrackId track = p.work.track[i];
    if (p.work.kind[i] != model::WorkKind::kKernel || !selected(p, selection, track)) continue;
    // One more than the duration, so that kernels shorter than the recorder's resolution count.
    const std::int64_t weight = saturating_add(p.work.duration[i], 1);
    any[track.row] = saturating_add(any[track.row], weight);
    if (is_compute_kernel(p, classes, i)) {
      compute[track.row] = saturating_add(compute[track.row], weight);
    }
  }
  for (const auto* time : {&compute, &any}) {
    const auto most = std::max_element(time->begin(), time->end());
    if (most != time->end() && *most > 0) {
      return TrackId(static_cast<std::size_t>(most - time->begin()));
    }
  }
  return {};
}

// Kernels of one stream that may start a step, by start. Those without a known launch are of use
// for periods only.
struct StepKernels {
  std::vector<std::size_t> rows;
  std::vector<LaunchedKernel> launched;  // sorted by launch
};

std::int64_t launch_time(const model::Profile& p, std::size_t row) {
  const SpanId span = p.work.launch[row].valid() ? p.work.launch[row] : p.work.op[row];
  return span.valid() ? p.spans.start[span.row] : std::numeric_limits<std::int64_t>::min();
}

StepKernels step_kernels(const model::Profile& p, const KernelClasses& classes, TrackId stream) {
  StepKernels out;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.track[i] != stream || p.work.kind[i] != model::WorkKind::kKernel) continue;
    (is_compute_kernel(p, classes, i) ? out.rows : others).push_back(i);
  }
  if (out.rows.empty()) out.rows = std::move(others);
  for (const std::size_t row : out.rows) {
    const std::int64_t launched = launch_time(p, row);
    if (launched == std::numeric_limits<std::int64_t>::min()) continue;
    out.launched.push_back({launched, p.work.start[row], p.work.duration[row]});
  }
  std::stable_sort(
      out.launched.begin(), out.launched.end(),
      [](const LaunchedKernel& a, const LaunchedKernel& b) { return a.launched < b.launched; });
  return out;
}

// First kernel of each host unit. A unit whose first kernel does not come after the one before's
// has no step of its own on the device.
void set_device_starts(std::vector<Unit>& units, const std::vector<LaunchedKernel>& kernels) {
  std::size_t k = 0;
  const Unit* before = nullptr;
  for (Unit& unit : units) {
    while (k < kernels.size() && kernels[k].launched < unit.host_start.value) ++k;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (; k < kernels.size() && kernels[k].launched < unit.host_end.value; ++k) {
      first = std::min(first, kernels[k].start);
    }
    if (first == std::numeric_limits<std::int64_t>::max()) continue;
    if (before != nullptr && first <= before->device_start.value) continue;
    unit.has_device = true;
    unit.device_start = Nanos(first);
    before = &unit;
  }
}

// A unit ends where the next one with device work starts; the last ends with the last work that it
// launched itself, or where launches are unknown, with the last work of all.
void set_device_ends(const model::Profile& p, DeviceId device, std::vector<Unit>& units) {
  Unit* next = nullptr;
  for (std::size_t i = units.size(); i-- > 0;) {
    Unit& unit = units[i];
    if (!unit.has_device) continue;
    if (next != nullptr) {
      unit.device_end = next->device_start;
      unit.complete = true;
    } else {
      unit.device_end = unit.device_start;
      for (std::size_t w = 0; w < p.work.size(); ++w) {
        if (p.device_of(w) != device || p.work.start[w] < unit.device_start.value) continue;
        const std::int64_t launched = launch_time(p, w);
        const bool known = launched != std::numeric_limits<std::int64_t>::min();
        if (known && unit.host_end > unit.host_start && launched >= unit.host_end.value) continue;
        unit.device_end = std::max(unit.device_end, Nanos(p.work.end(w)));
      }
    }
    next = &unit;
  }
}

std::vector<Unit> units_of_period(const model::Profile& p, const std::vector<std::size_t>& rows) {
  std::vector<SequenceItem> items;
  std::int64_t busy_until = rows.empty() ? 0 : p.work.start[rows.front()];
  for (const std::size_t row : rows) {
    items.push_back(
        {p.work.name[row].row, std::max<std::int64_t>(0, p.work.start[row] - busy_until)});
    busy_until = std::max(busy_until, p.work.end(row));
  }
  std::vector<Unit> units;
  for (const std::size_t i : find_period_starts(items)) {
    Unit unit;
    unit.device_start = Nanos(p.work.start[rows[i]]);
    if (!units.empty() && unit.device_start <= units.back().device_start) continue;
    const std::int64_t launched = launch_time(p, rows[i]);
    const bool known = launched != std::numeric_limits<std::int64_t>::min();
    unit.host_start = unit.host_end = known ? Nanos(launched) : unit.device_start;
    unit.has_device = true;
    unit.name = "period " + std::to_string(units.size());
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace

std::string_view to_string(UnitSource s) {
  constexpr std::array<std::string_view, 4> kNames{"none", "step_marker", "user_range",
                                                   "kernel_period"};
  return kNames[static_cast<std::size_t>(s)];
}

Units find_units(const model::Profile& profile, const HostTree& tree, const KernelClasses& classes,
                 const Selection& selection) {
  Units out;
  const TrackId stream = main_stream(profile, classes, selection);
  StepKernels kernels;
  if (stream.valid()) {
    kernels = step_kernels(profile, classes, stream);
    out.device = profile.tracks[stream.row].device;
  }
  MarkedNames names(profile);
  std::int64_t kernel_ns = 0;
  for (const std::size_t row : kernels.rows) {
    kernel_ns = saturating_add(kernel_ns, profile.work.duration[row]);
  }
  const UnitRanges ranges =
      find_unit_ranges(profile, tree, names, selection, kernels.launched, kernel_ns);
  for (const SpanId range : ranges.ranges) {
    Unit unit;
    unit.name = profile.span_name(range);
    unit.host_start = Nanos(profile.spans.start[range.row]);
    unit.host_end = Nanos(profile.spans.end(range.row));
    out.units.push_back(std::move(unit));
  }
  out.source = ranges.source;
  out.marker = ranges.marker;
  set_device_starts(out.units, kernels.launched);
  const auto timed =
      std::count_if(out.units.begin(), out.units.end(), [](const Unit& u) { return u.has_device; });
  const bool wanted_by_name = !selection.step_range.empty();
  if (stream.valid() && static_cast<std::size_t>(timed) < kMinUnits && !wanted_by_name) {
    std::vector<Unit> periodic = units_of_period(profile, kernels.rows);
    if (periodic.size() >= kMinUnits) {
      out.units = std::move(periodic);
      out.source = UnitSource::kKernelPeriod;
      out.marker = profile.text(profile.work.name[kernels.rows.front()]);
    }
  }
  if (stream.valid()) set_device_ends(profile, out.device, out.units);
  return out;
}

}  // namespace rooflab::analysis
