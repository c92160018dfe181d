// SPDX-License-Identifier: Apache-2.0
// Chooses the stretch of time that figures are about, and says when it is no steady state.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/bursts.h"
#include "analysis/markers.h"
#include "analysis/units.h"

namespace rooflab::analysis {
namespace {

using model::Profile;

constexpr std::size_t kMinUnits = 3;
// A first unit this much longer than the median holds warm-up or the recorder's start (DESIGN
// section 3).
constexpr double kFirstUnitFactor = 1.5;
// The mean of a bursty run needs some whole bursts; with fewer, what was queued before the window
// decides.
constexpr double kMinBursts = 4;
// One unit with this share of the window is an event, not a rate.
constexpr double kOneUnitShare = 0.5;

struct Span {
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  void widen(std::int64_t from, std::int64_t to) {
    start = std::min(start, from);
    end = std::max(end, to);
  }
  [[nodiscard]] bool empty() const { return start > end; }
};

Span host_span(const Profile& p) {
  Span out;
  for (std::size_t i = 0; i < p.spans.size(); ++i) out.widen(p.spans.start[i], p.spans.end(i));
  return out;
}

Span device_span(const Profile& p, const Selection& selection) {
  Span out;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const model::Track& track = p.tracks[p.work.track[i].row];
    if (selection.stream && track.stream != *selection.stream) continue;
    if (selection.device && (track.device.row >= p.devices.size() ||
                             p.devices[track.device.row].index != *selection.device)) {
      continue;
    }
    out.widen(p.work.start[i], p.work.end(i));
  }
  return out;
}

// When unit i began and ended, on the device or, in a file without device work, on the host.
struct UnitTimes {
  std::vector<std::size_t> index;  // of Units::units
  std::vector<std::int64_t> start;
  std::int64_t last_end = 0;
};

UnitTimes unit_times(const Units& units, bool on_device) {
  UnitTimes out;
  for (std::size_t i = 0; i < units.units.size(); ++i) {
    const Unit& unit = units.units[i];
    if (on_device && !unit.has_device) continue;
    out.index.push_back(i);
    out.start.push_back(on_device ? unit.device_start.value : unit.host_start.value);
    out.last_end = on_device ? unit.device_end.value : unit.host_end.value;
  }
  return out;
}

// The value below which `share` of them lie: nearest rank, the mean of the middle two for a median.
std::int64_t quantile(std::vector<std::int64_t> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const auto rank = static_cast<std::size_t>(std::ceil(share * n));
  const std::size_t i = std::min(values.size() - 1, rank == 0 ? 0 : rank - 1);
  if (share == 0.5 && values.size() % 2 == 0) return values[i] + (values[i + 1] - values[i]) / 2;
  return values[i];
}

std::vector<std::int64_t> durations(const UnitTimes& times, std::size_t first, std::size_t end) {
  std::vector<std::int64_t> out;
  for (std::size_t i = first; i < end; ++i) {
    const bool last = i + 1 == times.start.size();
    out.push_back((last ? times.last_end : times.start[i + 1]) - times.start[i]);
  }
  return out;
}

void add_note(Window& window, const std::string& note) {
  if (!window.note.empty()) window.note += "; ";
  window.note += note;
}

void not_steady(Window& window, const std::string& why) {
  window.steady = false;
  add_note(window, "not in steady state: " + why);
}

// Units [first, end) of `times` become the window.
void take_units(Window& window, const UnitTimes& times, std::size_t first, std::size_t end) {
  window.start = Nanos(times.start[first]);
  window.end = Nanos(end < times.start.size() ? times.start[end] : times.last_end);
  window.first_unit = times.index[first];
  const std::size_t past = end < times.index.size() ? times.index[end] : times.index.back() + 1;
  window.unit_count = past - window.first_unit;
}

void unit_figures(Window& window, const std::vector<std::int64_t>& units) {
  if (window.unit_count == 0 || units.empty()) return;
  window.unit_mean = Nanos(window.length().value / static_cast<std::int64_t>(window.unit_count));
  window.unit_median = Nanos(quantile(units, 0.5));
  window.unit_p95 = Nanos(quantile(units, 0.95));
  const Bursts bursts = find_bursts(units);
  window.burst_period_units = bursts.period_units;
  const auto count = static_cast<double>(units.size());
  if (bursts.period_units > 1 && count < kMinBursts * bursts.period_units) {
    not_steady(window,
               fmt::format("units come in bursts of about {:.0f} and only {:.1f} bursts were "
                           "recorded, so work queued before the window counts",
                           bursts.period_units, count / bursts.period_units));
  }
  const std::int64_t longest = *std::max_element(units.begin(), units.end());
  if (units.size() >= kMinUnits && bursts.count == 1 &&
      static_cast<double>(longest) > kOneUnitShare * static_cast<double>(window.length().value)) {
    not_steady(window, "one unit takes more than half of the window");
  }
}

// Input workers that are started inside the window have filled no queue yet.
void check_worker_start(const Profile& p, Window& window) {
  MarkedNames names(p);
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    if ((names.of(p.spans.name[row], use_of(p.spans.kind[row])) & bit(Marker::kWorkerStart)) == 0) {
      continue;
    }
    if (p.spans.start[row] < window.start.value || p.spans.start[row] >= window.end.value) continue;
    not_steady(window, fmt::format("input workers start inside the window ({})",
                                   p.text(p.spans.name[row])));
    return;
  }
}

Result<Window> user_window(const Profile& p, const Units& units, const Selection& selection) {
  Span all = host_span(p);
  for (std::size_t i = 0; i < p.work.size(); ++i) all.widen(p.work.start[i], p.work.end(i));
  if (all.empty()) {
    return fail(ErrorCode::kUsage, "the file holds no events to select from", "--window");
  }
  Window window;
  window.basis = WindowBasis::kUser;
  window.start =
      Nanos(std::max(all.start, saturating_add(all.start, selection.window->first.value)));
  window.end = Nanos(std::min(all.end, saturating_add(all.start, selection.window->second.value)));
  if (window.start >= window.end) {
    return fail(ErrorCode::kUsage, "the window selects nothing", "--window",
                fmt::format("times are relative to the first event; the file is {} ns long",
                            all.end - all.start));
  }
  // The units that lie whole inside.
  const UnitTimes times = unit_times(units, !p.work.start.empty());
  std::size_t first = 0;
  while (first < times.start.size() && times.start[first] < window.start.value) ++first;
  std::size_t end = first;
  while (end + 1 < times.start.size() && times.start[end + 1] <= window.end.value) ++end;
  if (end > first) {
    window.first_unit = times.index[first];
    window.unit_count = times.index[end] - times.index[first];
    const auto inside = durations(times, first, end);
    std::int64_t sum = 0;
    for (const std::int64_t d : inside) sum = saturating_add(sum, d);
    window.unit_mean = Nanos(sum / static_cast<std::int64_t>(window.unit_count));
    window.unit_median = Nanos(quantile(inside, 0.5));
    window.unit_p95 = Nanos(quantile(inside, 0.95));
  }
  return window;
}

Result<Window> step_window(const Profile& p, const Units& units, const UnitTimes& times,
                           const Selection& selection, WindowBasis basis) {
  Window window;
  window.basis = basis;
  const std::size_t count = times.start.size();
  if (selection.steps) {
    const auto [from, to] = *selection.steps;
    std::size_t first = 0;
    while (first < count && static_cast<std::int64_t>(times.index[first]) < from) ++first;
    std::size_t end = first;
    while (end < count && static_cast<std::int64_t>(times.index[end]) <= to) ++end;
    if (end == first) {
      return fail(ErrorCode::kUsage, fmt::format("steps {}-{} select nothing", from, to), "--steps",
                  fmt::format("the file has units {}-{}", times.index.front(), times.index.back()));
    }
    take_units(window, times, first, end);
    unit_figures(window, durations(times, first, end));
    check_worker_start(p, window);
    return window;
  }
  std::size_t first = 0;
  if (selection.skip_first > 0) {
    first = static_cast<std::size_t>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(selection.skip_first), count));
  }
  // The last unit has no end but its own last work: it is left out.
  const std::size_t end = count - 1;
  if (first >= end) {
    return fail(ErrorCode::kUsage,
                fmt::format("skipping {} of {} units leaves nothing", selection.skip_first, count),
                "--skip-first");
  }
  const auto all = durations(times, first, end);
  const std::int64_t median = quantile(all, 0.5);
  if (selection.skip_first == 0 && all.size() >= 2 &&
      static_cast<double>(all.front()) > kFirstUnitFactor * static_cast<double>(median)) {
    // A kernel's name is no name for a unit.
    const bool named = units.source != UnitSource::kKernelPeriod;
    add_note(window, fmt::format("first unit{} left out: {:.2f} ms against a median of {:.2f} ms",
                                 named ? " " + units.units[times.index[first]].name : "",
                                 static_cast<double>(all.front()) / 1e6,
                                 static_cast<double>(median) / 1e6));
    ++first;
  }
  add_note(window, "last unit left out: its end is not known");
  take_units(window, times, first, end);
  unit_figures(window, durations(times, first, end));
  check_worker_start(p, window);
  return window;
}

}  // namespace

std::string_view to_string(WindowBasis b) {
  constexpr std::array<std::string_view, 4> kNames{"device_steps", "device_span", "host_span",
                                                   "user"};
  return kNames[static_cast<std::size_t>(b)];
}

Result<Window> choose_window(const Profile& profile, const Units& units,
                             const Selection& selection) {
  if (selection.window) return user_window(profile, units, selection);
  const bool on_device = !profile.work.start.empty();
  const UnitTimes times = unit_times(units, on_device);
  const bool by_units = selection.steps.has_value() || selection.skip_first > 0;
  const Span span = on_device ? device_span(profile, selection) : host_span(profile);
  if (span.empty()) {
    const bool filtered = selection.device || selection.stream;
    // Counters of launches and samples of a whole recording have no times, and nothing to divide.
    const bool untimed = profile.measured.size() > 0 || profile.samples.size() > 0;
    if (untimed && !filtered && !by_units && !on_device) {
      Window nothing;
      nothing.basis = WindowBasis::kHostSpan;
      return nothing;
    }
    return fail(filtered ? ErrorCode::kUsage : ErrorCode::kInconclusive,
                filtered ? "the device or stream asked for has no work in this file"
                         : "the file holds neither device work nor host activity",
                filtered ? "--device/--stream" : "");
  }
  const WindowBasis steps = on_device ? WindowBasis::kDeviceSteps : WindowBasis::kHostSpan;
  if (times.start.size() >= kMinUnits || (by_units && !times.start.empty() && selection.steps)) {
    return step_window(profile, units, times, selection, steps);
  }
  if (by_units) {
    return fail(ErrorCode::kUsage,
                times.start.empty()
                    ? "the file has no units of work to count steps by"
                    : fmt::format("only {} of the file's units of work can be timed, too few to "
                                  "skip some",
                                  times.start.size()),
                selection.steps ? "--steps" : "--skip-first",
                "name the range that marks a step with --step-range");
  }
  Window window;
  window.basis = on_device ? WindowBasis::kDeviceSpan : WindowBasis::kHostSpan;
  window.start = Nanos(span.start);
  window.end = Nanos(span.end);
  return window;
}

}  // namespace rooflab::analysis
