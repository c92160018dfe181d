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
  Run(const Graph& graph, const Scenario& scenario, Bindings* bindings)
      : g_(graph),
        s_(scenario),
        b_(bindings),
        p_(*graph.analysis->profile),
        end_(graph.anchor_count()),
        stream_end_(p_.tracks.size(), kLongAgo),
        stream_last_(p_.tracks.size()) {
    out_.work_start.assign(p_.work.size(), kLongAgo);
    out_.anchor_begin.resize(graph.anchor_count());
    if (b_ == nullptr) return;
    b_->holder.assign(p_.work.size(), Holder::kNothing);
    b_->after.assign(p_.work.size(), WorkId());
    b_->issue.resize(graph.anchor_count());
    b_->waited.assign(graph.anchor_count(), 0);
    stream_holder_.resize(p_.tracks.size());
  }

  Timing run() {
    for (std::uint32_t i = 0; i < g_.anchor_count(); ++i) step(i);
    measure();
    if (b_ != nullptr) b_->anchor_end = std::move(end_);
    return std::move(out_);
  }

 private:
  void step(std::uint32_t i) {
    const Anchor& a = g_.anchors[i];
    std::int64_t begin = a.after == kNoAnchor ? a.begin : end_[a.after];
    for (std::uint32_t k = a.first_part; k < g_.anchors[i + 1].first_part; ++k) {
      begin = saturating_add(begin, s_.part_ns[k]);
    }
    out_.anchor_begin[i] = begin;
    const std::int64_t own = s_.call_ns[i];
    // Some calls hand their work over before they end (staged copies, large graphs).
    const bool stages = a.issue_ns < a.end - a.begin;
    const std::int64_t issue = saturating_add(begin, stages ? std::min(a.issue_ns, own) : own);
    if (b_ != nullptr) b_->issue[i] = issue;
    for (std::uint32_t k = a.first_work; k < g_.anchors[i + 1].first_work; ++k) {
      launch(g_.works_of_anchor[k], issue, stages, k > a.first_work);
    }
    end_[i] = saturating_add(begin, own);
    if (a.wait != Wait::kNone && s_.waits[i] != 0) {
      const std::int64_t return_ns =
          a.wait == Wait::kOwnWork ? a.unstage_ns : ns(s_.latencies.wait_return);
      const std::int64_t back = saturating_add(work_end(a.target), return_ns);
      if (b_ != nullptr && back > end_[i]) b_->waited[i] = 1;
      end_[i] = std::max(end_[i], back);
    }
  }

  void launch(WorkId w, std::int64_t issue, bool staged, bool in_launch) {
    const std::size_t track = p_.work.track[w.row].row;
    const WorkState state = s_.work_state[w.row];
    if (state == WorkState::kGone) {
      out_.work_start[w.row] = std::max(stream_end_[track], issue);
      if (b_ != nullptr) hold(w, Holder::kStream, stream_holder_[track]);
      return;
    }
    std::int64_t start = staged ? issue : saturating_add(issue, ns(s_.latencies.dispatch));
    const bool replayed = state == WorkState::kGraphNode && stream_last_[track].valid();
    hold(w, Holder::kLaunch, {});
    if (replayed) {
      start = issue;
      raise(start, saturating_add(stream_end_[track], ns(s_.replay_gap_ns)), w, track);
    }
    const bool node = in_launch && stream_last_[track].valid() &&
                      p_.work.launch[stream_last_[track].row] == p_.work.launch[w.row];
    if (state == WorkState::kHidden) {
      hide(w, start);
      return;
    }
    if (!replayed) raise(start, after_stream(track, w, node), w, track);
    const WorkId awaited = g_.depends_on[w.row];
    if (awaited.valid() && s_.work_state[awaited.row] != WorkState::kHidden) {
      const std::int64_t free = saturating_add(work_end(awaited), ns(s_.latencies.cross_gap));
      if (free > start) hold(w, Holder::kWork, awaited);
      start = std::max(start, free);
    }
    out_.work_start[w.row] = start;
    const std::int64_t ends = saturating_add(start, s_.work_ns[w.row]);
    if (b_ != nullptr && ends >= stream_end_[track]) stream_holder_[track] = w;
    stream_end_[track] = std::max(stream_end_[track], ends);
    stream_last_[track] = w;
  }

  void hold(WorkId w, Holder holder, WorkId after) {
    if (b_ == nullptr) return;
    b_->holder[w.row] = holder == Holder::kStream && !after.valid() ? Holder::kNothing : holder;
    b_->after[w.row] = after;
  }

  // The start is no earlier than `time`, because of what ran on the stream.
  void raise(std::int64_t& start, std::int64_t time, WorkId w, std::size_t track) {
    if (time <= start) return;
    start = time;
    if (b_ != nullptr) hold(w, Holder::kStream, stream_holder_[track]);
  }

  // Hidden work of a direction shares one engine: it runs there one after another.
  void hide(WorkId w, std::int64_t start) {
    Lane& lane = lanes_[static_cast<std::size_t>(p_.work.direction[w.row])];
    if (lane.end > start) hold(w, Holder::kEngine, lane.last);
    start = std::max(start, lane.end);
    lane.end = saturating_add(start, s_.work_ns[w.row]);
    lane.last = w;
    out_.work_start[w.row] = start;
    if (in_window(w.row)) lane.busy = saturating_add(lane.busy, s_.work_ns[w.row]);
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
    return saturating_add(stream_end_[track], ns(gap));
  }

  [[nodiscard]] std::int64_t work_end(WorkId w) const {
    const bool gone = s_.work_state[w.row] == WorkState::kGone;
    return saturating_add(out_.work_start[w.row], gone ? 0 : s_.work_ns[w.row]);
  }

  static std::int64_t ns(double value) { return static_cast<std::int64_t>(value); }

  // Its length is held within int64, whatever the file's times are.
  void window(std::int64_t begins, std::int64_t ends) {
    out_.begin = begins;
    out_.end = begins + saturating_add(ends, -begins);
  }

  void measure() {
    const std::vector<WorkId>& starts = g_.unit_starts;
    if (starts.empty()) return;
    if (starts.size() >= 2) {
      window(out_.work_start[starts.front().row], out_.work_start[starts.back().row]);
      out_.steps = starts.size() - 1;
      out_.step_ns = static_cast<double>(saturating_add(out_.end, -out_.begin)) /
                     static_cast<double>(out_.steps);
    } else {
      out_.steps = 1;
      std::int64_t begins = std::numeric_limits<std::int64_t>::max(), ends = kLongAgo;
      for (std::uint32_t row = 0; row < p_.work.size(); ++row) {
        if (!in_window(row) || s_.work_state[row] == WorkState::kGone) continue;
        begins = std::min(begins, out_.work_start[row]);
        ends = std::max(ends, work_end(WorkId(row)));
      }
      if (begins < ends) window(begins, ends);
      out_.step_ns = static_cast<double>(saturating_add(out_.end, -out_.begin));
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const double each = static_cast<double>(lanes_[i].busy) / static_cast<double>(out_.steps);
      if (each <= out_.step_ns) continue;
      out_.engine_ns += each - out_.step_ns;
      out_.engine = static_cast<model::CopyDirection>(i);
      out_.step_ns = each;
    }
  }

  struct Lane {
    std::int64_t end = kLongAgo, busy = 0;  // busy: inside the window
    WorkId last;
  };

  const Graph& g_;
  const Scenario& s_;
  Bindings* b_;  // null: not asked for
  const model::Profile& p_;
  Timing out_;
  std::array<Lane, 8> lanes_;      // by copy direction; collectives have none and share kNone
  std::vector<std::int64_t> end_;  // by anchor
  std::vector<std::int64_t> stream_end_;
  std::vector<WorkId> stream_last_;
  std::vector<WorkId> stream_holder_;  // with b_: the work that ends last on each stream
};

}  // namespace

Timing simulate(const Graph& graph, const Scenario& scenario, Bindings* bindings) {
  return Run(graph, scenario, bindings).run();
}

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
