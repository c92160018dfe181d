// SPDX-License-Identifier: Apache-2.0
#include "graph/critical_path.h"

#include <algorithm>

namespace rooflab::graph {
namespace {

using model::WorkId;

// Each move goes to something that was simulated before, so the walk ends.
class WalkBack {
 public:
  WalkBack(const Graph& graph, const Scenario& scenario, const Timing& timing,
           const Bindings& bindings)
      : g_(graph), s_(scenario), t_(timing), b_(bindings), now_(timing.end) {}

  std::vector<PathStep> run() {
    if (g_.unit_starts.size() >= 2) {
      start_of(g_.unit_starts.back());
    } else {
      running(last_to_end());
    }
    while (now_ > t_.begin) {
      switch (next_) {
        case Next::kRunning:
          running(work_);
          break;
        case Next::kStart:
          start_of(work_);
          break;
        case Next::kHost:
          host_before(anchor_);
          break;
        case Next::kNothing:
          piece({}, t_.begin);
          break;
      }
    }
    std::reverse(out_.begin(), out_.end());
    return std::move(out_);
  }

 private:
  enum class Next : std::uint8_t { kRunning, kStart, kHost, kNothing };

  // Of [to, now_), as far as it lies in the window.
  void piece(PathStep step, std::int64_t to) {
    step.begin = std::max(to, t_.begin);
    step.end = now_;
    if (step.begin >= step.end) return;
    now_ = step.begin;
    out_.push_back(step);
  }

  [[nodiscard]] std::int64_t work_end(WorkId w) const {
    const bool gone = s_.work_state[w.row] == WorkState::kGone;
    return saturating_add(t_.work_start[w.row], gone ? 0 : s_.work_ns[w.row]);
  }

  [[nodiscard]] WorkId last_to_end() const {
    WorkId last = g_.unit_starts.front();
    for (const WorkId w : g_.works_of_anchor) {
      if (s_.work_state[w.row] != WorkState::kGone && work_end(w) == t_.end) last = w;
    }
    return last;
  }

  void running(WorkId w) {
    piece({.kind = PathKind::kWork, .work = w}, t_.work_start[w.row]);
    next_ = Next::kStart;
    work_ = w;
  }

  void start_of(WorkId w) {
    const Holder holder = b_.holder[w.row];
    if (holder == Holder::kNothing) {
      next_ = Next::kNothing;
    } else if (holder == Holder::kLaunch) {
      anchor_ = g_.anchor_of_work[w.row];
      piece({.kind = PathKind::kDispatch, .work = w}, b_.issue[anchor_]);
      piece({.kind = PathKind::kCall, .anchor = anchor_}, t_.anchor_begin[anchor_]);
      next_ = Next::kHost;
    } else {
      work_ = b_.after[w.row];
      const PathKind kind = holder == Holder::kWork ? PathKind::kCross : PathKind::kGap;
      piece({.kind = kind, .work = w}, work_end(work_));
      next_ = Next::kRunning;
    }
  }

  // The host parts before an anchor, and the end of the anchor before them.
  void host_before(std::uint32_t i) {
    std::int64_t at = t_.anchor_begin[i];
    for (std::uint32_t k = g_.anchors[i + 1].first_part; k-- > g_.anchors[i].first_part;) {
      at = saturating_add(at, -s_.part_ns[k]);
      piece({.kind = PathKind::kHost, .anchor = i, .part = k}, at);
    }
    const std::uint32_t before = g_.anchors[i].after;
    if (before == kNoAnchor) {
      next_ = Next::kNothing;
      return;
    }
    if (b_.waited[before] != 0) {
      work_ = g_.anchors[before].target;
      piece({.kind = PathKind::kReturn, .anchor = before}, work_end(work_));
      next_ = Next::kRunning;
      return;
    }
    piece({.kind = PathKind::kCall, .anchor = before}, t_.anchor_begin[before]);
    anchor_ = before;
  }

  const Graph& g_;
  const Scenario& s_;
  const Timing& t_;
  const Bindings& b_;
  std::int64_t now_;  // the path is known from here on
  Next next_ = Next::kNothing;
  WorkId work_;
  std::uint32_t anchor_ = kNoAnchor;
  std::vector<PathStep> out_;
};

}  // namespace

CriticalPath critical_path(const Graph& graph, const Scenario& scenario, const Timing& timing,
                           const Bindings& bindings) {
  CriticalPath path;
  path.begin = timing.begin;
  path.end = timing.end;
  if (graph.unit_starts.empty() || timing.begin >= timing.end) return path;
  path.steps = WalkBack(graph, scenario, timing, bindings).run();
  return path;
}

CriticalPath recorded_critical_path(const Graph& graph) {
  const Scenario scenario = as_recorded(graph);
  Bindings bindings;
  const Timing timing = simulate(graph, scenario, &bindings);
  return critical_path(graph, scenario, timing, bindings);
}

double recorded_host_ratio(const CriticalPath& path) {
  if (path.begin >= path.end) return 0;
  std::int64_t host = 0;
  for (const PathStep& step : path.steps) {
    const bool recorded = step.kind == PathKind::kHost || step.kind == PathKind::kCall ||
                          step.kind == PathKind::kBefore;
    if (recorded) host += step.end - step.begin;
  }
  return static_cast<double>(host) / static_cast<double>(path.end - path.begin);
}

}  // namespace rooflab::graph
