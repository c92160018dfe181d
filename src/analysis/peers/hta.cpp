// SPDX-License-Identifier: Apache-2.0
// Holistic Trace Analysis' temporal breakdown: idle, compute and non-compute time of a rank.
//
// The tool shrinks every event to whole microseconds first (start up, end down), in double
// arithmetic on the file's own numbers. That is reproduced, because it decides the figures: an
// event shorter than a microsecond counts as nothing or as less than nothing.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "analysis/peers/peer.h"
#include "analysis/peers/shared/name_test.h"

namespace rooflab::analysis {
namespace {

struct Shrunk {
  std::int64_t start = 0, end = 0;  // whole microseconds; end < start is possible
};

// Times as the file states them: some files give them relative to a base of their own.
class Clock {
 public:
  explicit Clock(const model::Profile& p) : offset_(p.provenance.epoch_ns) {
    for (const auto& [key, value] : p.provenance.metadata) {
      if (key != "baseTimeNanoseconds") continue;
      const std::int64_t base = std::strtoll(value.c_str(), nullptr, 10);
      if (base > 0 && base <= offset_) offset_ -= base;
    }
  }

  [[nodiscard]] Shrunk shrink(std::int64_t start, std::int64_t duration) const {
    const double from = microseconds(saturating_add(start, offset_));
    const double to = from + microseconds(duration);
    return {static_cast<std::int64_t>(std::ceil(from)), static_cast<std::int64_t>(std::floor(to))};
  }

 private:
  // The double nearest to the decimal in the file.
  static double microseconds(std::int64_t ns) {
    const std::int64_t whole = ns / 1000;
    return static_cast<double>(whole) + static_cast<double>(ns - whole * 1000) / 1000.0;
  }
  std::int64_t offset_;
};

struct Event {
  Shrunk at;
  bool compute = false;
};

struct Merged {
  std::int64_t busy = 0, total = 0;
};

// Overlapping events are one; a lone shrunk event may have a length below zero, of -1 at most, and
// times are below 1e16 us, so that nothing here overflows.
Merged merge(std::vector<Shrunk> events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Shrunk& a, const Shrunk& b) { return a.start < b.start; });
  Merged merged;
  std::int64_t latest = 0;
  Shrunk group;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i == 0 || events[i].start > latest) {
      merged.busy += group.end - group.start;
      group = events[i];
    } else {
      group.end = std::max(group.end, events[i].end);
    }
    latest = i == 0 ? events[i].end : std::max(latest, events[i].end);
  }
  merged.busy += group.end - group.start;
  if (!events.empty()) merged.total = group.end - events.front().start;
  return merged;
}

struct LastStep {
  bool several = false;    // two or more differently named markers: the last step is dropped
  std::int64_t start = 0;  // of the last marker, on the host or projected on a stream
};

LastStep last_step(const model::Profile& p, const Clock& clock) {
  NameTest is_step(p, "hta", "step");
  LastStep last;
  StringId first;
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (!is_step(p.spans.name[i])) continue;
    const std::int64_t start = clock.shrink(p.spans.start[i], p.spans.duration[i]).start;
    last.start = first.valid() ? std::max(last.start, start) : start;
    last.several = last.several || (first.valid() && first != p.spans.name[i]);
    if (!first.valid()) first = p.spans.name[i];
  }
  return last;
}

struct CallTimes {
  explicit CallTimes(const model::Profile& p) {
    for (std::size_t i = 0; i < p.spans.size(); ++i) {
      const bool call = p.spans.kind[i] == model::SpanKind::kRuntimeCall ||
                        p.spans.kind[i] == model::SpanKind::kDriverCall;
      if (call && p.spans.correlation[i] >= 0)
        by_correlation.emplace_back(p.spans.correlation[i], static_cast<std::uint32_t>(i));
    }
    std::sort(by_correlation.begin(), by_correlation.end());
  }
  [[nodiscard]] model::SpanId find(std::int64_t correlation) const {
    const auto it = std::lower_bound(by_correlation.begin(), by_correlation.end(),
                                     std::pair<std::int64_t, std::uint32_t>(correlation, 0));
    const bool found = it != by_correlation.end() && it->first == correlation;
    return found ? model::SpanId(it->second) : model::SpanId();
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> by_correlation;
};

// Records of device-side waits count as device events to the tool.
void add_waits(const model::Profile& p, const Clock& clock, const LastStep& last,
               std::vector<Event>& events) {
  NameTest is_device_sync(p, "hta", "device_sync");
  NameTest is_not_compute(p, "hta", "not_compute");
  const auto& kinds = p.spans.kind;
  if (std::find(kinds.begin(), kinds.end(), model::SpanKind::kSync) == kinds.end()) return;
  const CallTimes calls(p);
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (kinds[i] != model::SpanKind::kSync) continue;
    const model::Track& track = p.tracks[p.spans.track[i].row];
    const bool on_stream = track.kind == model::TrackKind::kStream && track.stream >= 0;
    const StringId name = p.spans.name[i];
    if (!is_device_sync(name) && !(on_stream && p.spans.correlation[i] >= 0)) continue;
    if (last.several) {
      const model::SpanId call = calls.find(p.spans.correlation[i]);
      if (!call.valid() || clock.shrink(p.spans.start[call.row], 0).start >= last.start) continue;
    }
    events.push_back({clock.shrink(p.spans.start[i], p.spans.duration[i]), !is_not_compute(name)});
  }
}

std::vector<Event> device_events(const model::Profile& p) {
  const Clock clock(p);
  const LastStep last = last_step(p, clock);
  NameTest is_not_compute(p, "hta", "not_compute");
  std::vector<Event> events;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.correlation[i] < 0) continue;
    const model::SpanId call = p.work.launch[i];
    if (last.several &&
        (!call.valid() || clock.shrink(p.spans.start[call.row], 0).start >= last.start))
      continue;
    events.push_back(
        {clock.shrink(p.work.start[i], p.work.duration[i]), !is_not_compute(p.work.name[i])});
  }
  add_waits(p, clock, last, events);
  return events;
}

PeerRow row(const model::Profile& p, const std::vector<Event>& events) {
  std::vector<Shrunk> all;
  std::vector<Shrunk> compute;
  for (const Event& event : events) {
    all.push_back(event.at);
    if (event.compute) compute.push_back(event.at);
  }
  const Merged whole = merge(std::move(all));
  const std::int64_t compute_us = merge(std::move(compute)).busy;
  const std::int64_t idle_us = whole.total - whole.busy;
  const std::int64_t non_compute_us = whole.total - compute_us - idle_us;
  const auto in_us = [](const char* key, std::int64_t us) {
    return PeerFigure{key, static_cast<double>(us), 0};
  };
  const auto percent = [&](const char* key, std::int64_t us) {
    const auto total = static_cast<double>(whole.total);
    return PeerFigure{key, whole.total == 0 ? 0.0 : 100.0 * static_cast<double>(us) / total, 2};
  };
  const std::string rank = p.rank.rank >= 0 ? "rank " + std::to_string(p.rank.rank) : "file";
  return {
      rank,
      {in_us("gpu_kernels", static_cast<std::int64_t>(events.size())), in_us("idle_us", idle_us),
       in_us("compute_us", compute_us), in_us("non_compute_us", non_compute_us),
       in_us("total_us", whole.total), percent("idle_percent", idle_us),
       percent("compute_percent", compute_us), percent("non_compute_percent", non_compute_us)}};
}

Result<PeerReport> figures(const model::Profile& p) {
  const std::vector<Event> events = device_events(p);
  if (events.empty()) {
    return fail(ErrorCode::kInconclusive, "no device event is left after HTA's filter",
                p.provenance.input,
                "HTA drops device events without a correlation id and those launched in the last "
                "profiler step: record more steps");
  }
  PeerReport report;
  report.definition =
      "Window: from the start of the first to the end of the last device event launched before the "
      "last ProfilerStep marker begins. Compute is the union of kernels that are no collective, "
      "idle is the window less the union of all device events, non-compute the rest, after every "
      "event was shrunk to whole microseconds.";
  report.difference =
      "rooflab keeps nanoseconds and the last step's work: shrinking makes events shorter than "
      "about 1 us count as nothing or less, which can turn compute or non-compute negative where "
      "kernels are short. HTA also counts records of device-side waits as device events.";
  report.rows.push_back(row(p, events));
  return report;
}

}  // namespace

Peer peer_hta() { return {"hta", "Holistic Trace Analysis temporal breakdown", figures}; }

}  // namespace rooflab::analysis
