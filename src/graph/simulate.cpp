// SPDX-License-Identifier: Apache-2.0
#include "graph/simulate.h"

#include <algorithm>
#include <array>
#include <limits>

#include "graph/latencies.h"

namespace rooflab::graph {
namespace {

using model::WorkId;

constexpr std::int64_t kLongAgo = std::numeric_limits<std::int64_t>::min() / 4;

class Run {
 public:
  Run(const Graph& graph, const Scenario& scenario)
      : g_(graph),
        s_(scenario),
        p_(*graph.analysis->profile),
        end_(graph.anchor_count()),
        stream_end_(p_.tracks.size(), kLongAgo),
        stream_last_(p_.tracks.size()) {
    out_.work_start.assign(p_.work.size(), kLongAgo);
    out_.anchor_begin.resize(graph.anchor_count());
  }

  Timing run() {
    for (std::uint32_t i = 0; i < g_.anchor_count(); ++i) step(i);
    measure();
    return std::move(out_);
  }

 private:
  void step(std::uint32_t i) {
    const Anchor& a = g_.anchors[i];
    std::int64_t begin = a.after == kNoAnchor ? a.begin : end_[a.after];
    for (std::uint32_t k = a.first_part; k < g_.anchors[i + 1].first_part; ++k) {
      begin += s_.part_ns[k];
    }
    out_.anchor_begin[i] = begin;
    const std::int64_t own = s_.call_ns[i];
    // Some calls hand their work over before they end (staged copies, large graphs).
    const bool stages = a.issue_ns < a.end - a.begin;
    const std::int64_t issue = begin + (stages ? std::min(a.issue_ns, own) : own);
    for (std::uint32_t k = a.first_work; k < g_.anchors[i + 1].first_work; ++k) {
      launch(g_.works_of_anchor[k], issue, stages, k > a.first_work);
    }
    end_[i] = begin + own;
    if (a.wait != Wait::kNone && s_.waits[i] != 0) {
      const std::int64_t back = work_end(a.target) + ns(s_.latencies.wait_return);
      end_[i] = std::max(end_[i], back);
    }
  }

  void launch(WorkId w, std::int64_t issue, bool staged, bool in_launch) {
    const std::size_t track = p_.work.track[w.row].row;
    const WorkState state = s_.work_state[w.row];
    if (state == WorkState::kGone) {
      out_.work_start[w.row] = std::max(stream_end_[track], kLongAgo);
      return;
    }
    std::int64_t start = staged ? issue : issue + ns(s_.latencies.dispatch);
    const bool replayed = state == WorkState::kGraphNode && stream_last_[track].valid();
    if (replayed) start = std::max(issue, stream_end_[track] + ns(s_.replay_gap_ns));
    const bool node = in_launch && stream_last_[track].valid() &&
                      p_.work.launch[stream_last_[track].row] == p_.work.launch[w.row];
    if (state == WorkState::kHidden) {
      hide(w, start);
      return;
    }
    if (!replayed) start = std::max(start, after_stream(track, w, node));
    const WorkId awaited = g_.depends_on[w.row];
    if (awaited.valid() && s_.work_state[awaited.row] != WorkState::kHidden) {
      start = std::max(start, work_end(awaited) + ns(s_.latencies.cross_gap));
    }
    out_.work_start[w.row] = start;
    stream_end_[track] = std::max(stream_end_[track], start + s_.work_ns[w.row]);
    stream_last_[track] = w;
  }

  // Hidden work of a direction shares one engine: it runs there one after another.
  void hide(WorkId w, std::int64_t start) {
    Lane& lane = lanes_[static_cast<std::size_t>(p_.work.direction[w.row])];
    start = std::max(start, lane.end);
    lane.end = start + s_.work_ns[w.row];
    out_.work_start[w.row] = start;
    if (in_window(w.row)) lane.busy += s_.work_ns[w.row];
  }

  [[nodiscard]] bool in_window(std::uint32_t row) const {
    const std::int64_t recorded = p_.work.start[row];
    const analysis::Window& window = g_.analysis->window;
    return recorded >= window.start.value && recorded < window.end.value;
  }

  [[nodiscard]] std::int64_t after_stream(std::size_t track, WorkId w, bool node) const {
    const WorkId last = stream_last_[track];
    if (!last.valid()) return kLongAgo;
    const bool copies = is_copy_like(p_, w) || is_copy_like(p_, last);
    const double gap = node     ? s_.latencies.node_gap
                       : copies ? s_.latencies.copy_gap
                                : s_.latencies.stream_gap;
    return stream_end_[track] + ns(gap);
  }

  [[nodiscard]] std::int64_t work_end(WorkId w) const {
    const bool gone = s_.work_state[w.row] == WorkState::kGone;
    return out_.work_start[w.row] + (gone ? 0 : s_.work_ns[w.row]);
  }

  static std::int64_t ns(double value) { return static_cast<std::int64_t>(value); }

  void measure() {
    const std::vector<WorkId>& starts = g_.unit_starts;
    if (starts.empty()) return;
    if (starts.size() >= 2) {
      const std::int64_t first = out_.work_start[starts.front().row];
      out_.steps = starts.size() - 1;
      out_.step_ns = static_cast<double>(out_.work_start[starts.back().row] - first) /
                     static_cast<double>(out_.steps);
    } else {
      out_.steps = 1;
      std::int64_t begins = std::numeric_limits<std::int64_t>::max(), ends = kLongAgo;
      for (std::uint32_t row = 0; row < p_.work.size(); ++row) {
        if (!in_window(row) || s_.work_state[row] == WorkState::kGone) continue;
        begins = std::min(begins, out_.work_start[row]);
        ends = std::max(ends, work_end(WorkId(row)));
      }
      out_.step_ns = begins < ends ? static_cast<double>(ends - begins) : 0;
    }
    for (const Lane& lane : lanes_) {
      const double each = static_cast<double>(lane.busy) / static_cast<double>(out_.steps);
      out_.step_ns = std::max(out_.step_ns, each);
    }
  }

  struct Lane {
    std::int64_t end = kLongAgo, busy = 0;  // busy: inside the window
  };

  const Graph& g_;
  const Scenario& s_;
  const model::Profile& p_;
  Timing out_;
  std::array<Lane, 8> lanes_;      // by copy direction; collectives have none and share kNone
  std::vector<std::int64_t> end_;  // by anchor
  std::vector<std::int64_t> stream_end_;
  std::vector<WorkId> stream_last_;
};

}  // namespace

Timing simulate(const Graph& graph, const Scenario& scenario) { return Run(graph, scenario).run(); }

double recorded_step_ns(const Graph& graph) {
  const model::WorkTable& work = graph.analysis->profile->work;
  const std::vector<WorkId>& starts = graph.unit_starts;
  if (starts.empty()) return 0;
  const std::int64_t first = work.start[starts.front().row];
  if (starts.size() >= 2) {
    return static_cast<double>(work.start[starts.back().row] - first) /
           static_cast<double>(starts.size() - 1);
  }
  return static_cast<double>(work.end(graph.ends.row) - first);
}

}  // namespace rooflab::graph
