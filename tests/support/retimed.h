// SPDX-License-Identifier: Apache-2.0
// A recording as it would have been if a scenario were true: the simulation gives the times of all
// calls and device work, and what the host did between them keeps its place among them.
//
// Times are warped, not invented: on each thread the recorded begins and ends of its calls and of
// the parts between them are moved to their simulated times, and every other time in proportion.
// Device work keeps the scenario's duration. What the graph does not know (a thread that launches
// nothing) follows the threads that do. The result is a Profile like any importer's and can be
// analysed from the start: nothing of the scenario is handed on but times.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/simulate.h"
#include "model/columns.h"
#include "model/sort_rows.h"
#include "model/validate.h"

namespace rooflab::testing {

// Profiles are moved, never copied, outside tests. Equal ids name equal texts in both.
inline model::Profile copy_of(const model::Profile& from) {
  model::Profile p;
  for (std::uint32_t id = 0; id < from.strings.size(); ++id) {
    (void)p.strings.intern(from.text(StringId(id)));
  }
  p.processes = from.processes;
  p.threads = from.threads;
  p.devices = from.devices;
  p.tracks = from.tracks;
  p.spans = from.spans;
  p.op_args = from.op_args;
  p.work = from.work;
  p.launch_configs = from.launch_configs;
  p.collectives = from.collectives;
  p.forward_backward = from.forward_backward;
  p.memory_events = from.memory_events;
  p.instants = from.instants;
  p.counters = from.counters;
  p.stacks = from.stacks;
  p.samples = from.samples;
  p.measured = from.measured;
  p.metrics = from.metrics;
  p.rank = from.rank;
  p.provenance = from.provenance;
  p.hygiene = from.hygiene;
  return p;
}

// A monotone map of times through points, moved alike before the first and after the last.
class Warp {
 public:
  void add(std::int64_t from, std::int64_t to) { points_.emplace_back(from, to); }
  void close() {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const Point& a, const Point& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < points_.size(); ++i) {
      points_[i].second = std::max(points_[i].second, points_[i - 1].second);
    }
  }
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] std::int64_t operator()(std::int64_t time) const {
    if (points_.empty()) return time;
    const auto after = std::upper_bound(points_.begin(), points_.end(), time,
                                        [](std::int64_t t, const Point& p) { return t < p.first; });
    if (after == points_.begin()) return time + after->second - after->first;
    const Point& a = *(after - 1);
    if (after == points_.end()) return time + a.second - a.first;
    const double share =
        static_cast<double>(time - a.first) / static_cast<double>(after->first - a.first);
    return a.second +
           static_cast<std::int64_t>(share * static_cast<double>(after->second - a.second));
  }

 private:
  using Point = std::pair<std::int64_t, std::int64_t>;
  std::vector<Point> points_;
};

namespace detail {

struct Warps {
  std::vector<Warp> of_track;
  Warp all;
  [[nodiscard]] const Warp& at(model::TrackId t) const {
    return t.valid() && !of_track[t.row].empty() ? of_track[t.row] : all;
  }
};

inline std::int64_t simulated_end(const graph::Graph& g, const graph::Scenario& s,
                                  const graph::Timing& t, std::size_t i) {
  const graph::Anchor& a = g.anchors[i];
  std::int64_t end = t.anchor_begin[i] + s.call_ns[i];
  if (a.wait != graph::Wait::kNone && s.waits[i] != 0) {
    end = std::max(end, t.work_start[a.target.row] + s.work_ns[a.target.row] +
                            static_cast<std::int64_t>(s.latencies.wait_return));
  }
  return end;
}

inline Warps warps_of(const graph::Graph& g, const graph::Scenario& s, const graph::Timing& t) {
  Warps out;
  out.of_track.resize(g.analysis->profile->tracks.size());
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const graph::Anchor& a = g.anchors[i];
    if (!a.span.valid()) continue;
    Warp& own = out.of_track[a.track.row];
    std::int64_t from = a.begin, to = t.anchor_begin[i];
    for (std::uint32_t k = g.anchors[i + 1].first_part; k-- > a.first_part;) {
      from -= g.parts[k].ns;
      to -= s.part_ns[k];
      own.add(from, to);
    }
    const std::int64_t end = simulated_end(g, s, t, i);
    own.add(a.begin, t.anchor_begin[i]);
    own.add(a.end, end);
    out.all.add(a.begin, t.anchor_begin[i]);
    out.all.add(a.end, end);
  }
  for (Warp& w : out.of_track) w.close();
  out.all.close();
  return out;
}

inline void sort_spans(model::Profile& p) {
  const model::RowOrder order =
      model::sorted_order(p.spans.track, p.spans.start, p.spans.duration, p.tracks.size(), true);
  if (order.old_row.empty()) return;
  std::vector<std::uint32_t> moved(order.old_row.size());
  for (std::uint32_t row = 0; row < order.old_row.size(); ++row) moved[order.old_row[row]] = row;
  model::for_each_column(p.spans,
                         [&](std::string_view, auto& c) { model::gather(c, order.old_row); });
  const auto follow = [&](model::SpanId& id) {
    if (id.valid()) id = model::SpanId(moved[id.row]);
  };
  for (model::SpanId& id : p.work.launch) follow(id);
  for (model::SpanId& id : p.work.op) follow(id);
  for (model::ForwardBackward& pair : p.forward_backward) {
    follow(pair.forward);
    follow(pair.backward);
  }
}

inline void sort_work(model::Profile& p) {
  const model::RowOrder order =
      model::sorted_order(p.work.track, p.work.start, p.work.duration, p.tracks.size(), false);
  if (order.old_row.empty()) return;
  model::for_each_column(p.work,
                         [&](std::string_view, auto& c) { model::gather(c, order.old_row); });
}

}  // namespace detail

// No work may be gone or hidden in the scenario: a recording has no such thing.
inline model::Profile retimed(const graph::Graph& g, const graph::Scenario& s) {
  const graph::Timing t = graph::simulate(g, s);
  const detail::Warps warps = detail::warps_of(g, s, t);
  model::Profile p = copy_of(*g.analysis->profile);
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const Warp& warp = warps.at(p.spans.track[row]);
    const std::int64_t end = warp(p.spans.end(row));
    p.spans.start[row] = warp(p.spans.start[row]);
    p.spans.duration[row] = std::max<std::int64_t>(0, end - p.spans.start[row]);
  }
  p.work.start = t.work_start;
  p.work.duration = s.work_ns;
  const auto move = [&](auto& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      table.time[i] = warps.at(table.track[i])(table.time[i]);
    }
  };
  move(p.memory_events);
  move(p.instants);
  move(p.counters);
  move(p.samples);
  detail::sort_spans(p);
  detail::sort_work(p);
  const Result<void> valid = model::validate(p);
  EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
  return p;
}

// All that the host does takes `factor` times as long; device work as long as before.
inline std::pair<graph::Graph, graph::Scenario> with_scaled_host(const graph::Graph& original,
                                                                 double factor) {
  graph::Graph g = original;
  graph::Scenario s = graph::as_recorded(original);
  const auto times = [&](std::int64_t& ns) {
    ns = static_cast<std::int64_t>(static_cast<double>(ns) * factor);
  };
  for (std::int64_t& ns : s.part_ns) times(ns);
  for (std::int64_t& ns : s.call_ns) times(ns);
  // Calls that hand their work over before they end do so in the same proportion.
  for (graph::Anchor& a : g.anchors) times(a.issue_ns);
  return {std::move(g), std::move(s)};
}

}  // namespace rooflab::testing
