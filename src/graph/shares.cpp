// SPDX-License-Identifier: Apache-2.0
#include "graph/shares.h"

#include <algorithm>

#include "analysis/device_sweep.h"
#include "analysis/gap_split.h"
#include "analysis/owner_table.h"

namespace rooflab::graph {
namespace {

using analysis::HostClass;
using analysis::IdleOwner;
using model::WorkId;

// The part of a profile that a sweep over device work reads, with the simulated times.
model::Profile retimed(const Graph& g, const Scenario& s, const Timing& t) {
  const model::Profile& p = *g.analysis->profile;
  model::Profile out;
  out.devices = p.devices;
  out.tracks = p.tracks;
  out.work = p.work;
  out.work.start = t.work_start;
  out.work.duration = s.work_ns;
  return out;
}

class Divide {
 public:
  Divide(const Graph& graph, const Scenario& scenario)
      : g_(graph),
        s_(scenario),
        t_(simulate(graph, scenario, &b_)),
        timed_(retimed(graph, scenario, t_)),
        owners_(*graph.analysis->profile, graph.analysis->classes) {}

  Shares run() {
    Shares out;
    if (t_.begin >= t_.end) return out;
    std::vector<bool> launched(g_.analysis->profile->spans.size(), false);
    for (std::vector<WorkId>& rows : analysis::work_by_device(timed_, {})) {
      std::erase_if(rows, [&](WorkId w) { return !runs(w); });
      if (!rows.empty()) out.total += device(rows, launched);
    }
    std::vector<std::uint32_t> unused;
    out.owners = owners_.sorted(unused);
    add_engine(out);
    return out;
  }

 private:
  [[nodiscard]] bool runs(WorkId w) const {
    const WorkState state = s_.work_state[w.row];
    return state == WorkState::kAsRecorded || state == WorkState::kGraphNode;
  }

  Nanos device(const std::vector<WorkId>& rows, std::vector<bool>& launched) {
    std::int64_t from = t_.end, to = t_.begin;
    analysis::sweep_device(timed_, g_.analysis->classes, rows, launched,
                           [&](const analysis::Segment& segment) {
                             const std::int64_t begin = std::max(segment.start, t_.begin);
                             const std::int64_t end = std::min(segment.end, t_.end);
                             if (begin >= end) return;
                             from = std::min(from, begin);
                             to = std::max(to, end);
                             if (segment.gap) {
                               gap(segment.work, segment.inside_launch, begin, end);
                             } else {
                               owners_.add(owners_.of_work(segment.work.row), end - begin);
                             }
                           });
    if (from >= to) from = to = t_.end;
    give(IdleOwner::kBefore, t_.begin, from);
    give(IdleOwner::kAfter, to, t_.end);
    return Nanos(t_.end - t_.begin);
  }

  // What hidden work needs beyond the steps is no time of a device's time line: the whole of it
  // grows by that.
  void add_engine(Shares& out) const {
    constexpr double kLongest = 3e17;  // ten years: beyond any sum of an honest file's times
    const double steps = static_cast<double>(t_.end - t_.begin);
    if (t_.engine_ns <= 0 || steps <= 0) return;
    const double longer = t_.engine_ns * static_cast<double>(t_.steps) / steps;
    const double ns = longer * static_cast<double>(out.total.value);
    const Nanos time(static_cast<std::int64_t>(std::min(ns, kLongest)));
    const bool copies = t_.engine != model::CopyDirection::kNone;
    out.owners.push_back(
        {copies ? "copy.engine." + std::string(analysis::to_string(t_.engine)) : "comm.engine",
         time});
    out.total = Nanos(saturating_add(out.total.value, time.value));
    std::stable_sort(out.owners.begin(), out.owners.end(),
                     [](const analysis::OwnerShare& a, const analysis::OwnerShare& b) {
                       return a.time > b.time;
                     });
  }

  void give(IdleOwner owner, std::int64_t begin, std::int64_t end) {
    if (begin < end) owners_.add(owners_.of_idle(owner), end - begin);
  }

  void gap(WorkId ending, bool inside_launch, std::int64_t begin, std::int64_t end) {
    const std::uint32_t i = g_.anchor_of_work[ending.row];
    if (!g_.anchors[i].span.valid()) {
      give(IdleOwner::kUnlinked, begin, end);
      return;
    }
    if (inside_launch || s_.work_state[ending.row] == WorkState::kGraphNode) {
      const bool after = b_.issue[i] <= begin;
      if (after) {
        give(IdleOwner::kGraph, begin, end);
        return;
      }
    }
    const std::int64_t called = std::clamp(t_.anchor_begin[i], begin, end);
    const std::int64_t issued = std::clamp(b_.issue[i], called, end);
    starved(i, begin, called);
    give(IdleOwner::kInCall, called, issued);
    const bool is_short = end - issued <= analysis::kDispatchLimit.value;
    give(is_short ? IdleOwner::kDispatch : IdleOwner::kBlocked, issued, end);
  }

  // [from, to) ends where anchor `i` begins, or before.
  void starved(std::uint32_t i, std::int64_t from, std::int64_t to) {
    std::int64_t at = t_.anchor_begin[i];
    while (at > from && from < to) {
      for (std::uint32_t k = g_.anchors[i + 1].first_part; k-- > g_.anchors[i].first_part;) {
        const HostPart& part = g_.parts[k];
        const std::int64_t begins = saturating_add(at, -s_.part_ns[k]);
        const std::uint32_t owner = part.recorder ? owners_.of_idle(IdleOwner::kProfiler)
                                                  : owners_.of_host(part.host_class, part.cause);
        clipped(owner, std::max(begins, from), std::min(at, to));
        at = begins;
      }
      i = g_.anchors[i].after;
      if (i == kNoAnchor) break;
      const std::int64_t own = std::min(at, saturating_add(t_.anchor_begin[i], s_.call_ns[i]));
      const bool launches = g_.anchors[i].first_work < g_.anchors[i + 1].first_work;
      const std::uint32_t waits = owners_.of_host(HostClass::kSync, {});
      clipped(waits, std::max(own, from), std::min(at, to));
      clipped(launches ? owners_.of_idle(IdleOwner::kInCall) : waits,
              std::max(t_.anchor_begin[i], from), std::min(own, to));
      at = t_.anchor_begin[i];
    }
    if (i == kNoAnchor) clipped(owners_.of_host(HostClass::kUnknown, {}), from, std::min(at, to));
  }

  void clipped(std::uint32_t owner, std::int64_t begin, std::int64_t end) {
    if (begin < end) owners_.add(owner, end - begin);
  }

  const Graph& g_;
  const Scenario& s_;
  Bindings b_;
  Timing t_;
  model::Profile timed_;
  analysis::OwnerTable owners_;
};

}  // namespace

Shares shares_of(const Graph& graph, const Scenario& scenario) {
  return Divide(graph, scenario).run();
}

}  // namespace rooflab::graph
