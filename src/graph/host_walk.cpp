// SPDX-License-Identifier: Apache-2.0
// Spans are sorted by (start, longer first), so a stack of open spans gives the innermost one at
// every moment; each stretch between two begins or ends becomes (part of) a HostPart.
#include "graph/host_walk.h"

#include <algorithm>

namespace rooflab::graph {
namespace {

using analysis::HostClass;
using model::SpanId;

// A stretch without a begin or an end this long may be a wait for another thread; shorter ones are
// joined to their neighbours of the same kind.
constexpr std::int64_t kQuietNs = 20'000;

class Walk {
 public:
  Walk(const HostFacts& facts, model::TrackId track, std::vector<SpanId>& anchor_span)
      : f_(facts),
        track_(track),
        anchor_span_(anchor_span),
        recorder_(facts.overheads.of_track[track.row]) {}

  void run(std::uint32_t first, std::uint32_t last) {
    const model::SpanTable& spans = f_.profile.spans;
    if (first == last) return;
    now_ = done_ = spans.start[first];
    for (std::uint32_t row = first; row < last; ++row) {
      close_until(spans.start[row]);
      advance(spans.start[row]);
      begin(row);
      open_.push_back(row);
    }
  }

  // What the thread did after its last call holds up nothing.
  ThreadAnchors take() {
    out_.parts.resize(first_part_);
    return std::move(out_);
  }

 private:
  void close_until(std::int64_t time) {
    while (!open_.empty() && f_.profile.spans.end(open_.back()) <= time) {
      advance(f_.profile.spans.end(open_.back()));
      open_.pop_back();
    }
  }

  void begin(std::uint32_t row) {
    const model::SpanTable& spans = f_.profile.spans;
    const bool inside = spans.start[row] < done_ && !out_.anchors.empty();
    if (f_.is_anchor[row]) {
      if (inside) {
        anchor_span_[row] = out_.anchors.back().span;
      } else {
        add_anchor(row);
        return;
      }
    }
    ++records_;
  }

  void add_anchor(std::uint32_t row) {
    const model::SpanTable& spans = f_.profile.spans;
    if (records_ > 0 && out_.parts.size() == first_part_) push({}, false, false);
    if (records_ > 0) out_.parts.back().records += records_;
    records_ = 0;
    Anchor a;
    a.span = SpanId(row);
    a.track = track_;
    a.begin = spans.start[row];
    a.end = done_ = spans.end(row);
    a.issue_ns = a.end - a.begin;
    a.first_part = static_cast<std::uint32_t>(first_part_);
    a.recorder_ns = recorder_inside(a.begin, a.end);
    out_.anchors.push_back(a);
    first_part_ = out_.parts.size();
    anchor_span_[row] = a.span;
  }

  [[nodiscard]] std::int64_t recorder_inside(std::int64_t from, std::int64_t to) const {
    std::int64_t sum = 0;
    for (std::size_t i = next_recorder_; i < recorder_.size() && recorder_[i].start < to; ++i) {
      if (recorder_[i].compile) continue;
      sum += std::max<std::int64_t>(
          0, std::min(to, recorder_[i].end) - std::max(from, recorder_[i].start));
    }
    return sum;
  }

  // The stretch from now_ to `time` was spent in the innermost open span.
  void advance(std::int64_t time) {
    if (time <= now_) return;
    const std::int64_t from = std::max(now_, done_);
    now_ = time;
    if (from < time) stretch(from, time);
  }

  void stretch(std::int64_t from, std::int64_t to) {
    const bool quiet = to - from >= kQuietNs;
    while (from < to) {
      while (next_recorder_ < recorder_.size() && recorder_[next_recorder_].end <= from) {
        ++next_recorder_;
      }
      const bool any = next_recorder_ < recorder_.size();
      const std::int64_t starts = any ? std::max(recorder_[next_recorder_].start, from) : to;
      if (starts > from) piece(std::min(starts, to) - from, false, quiet);
      if (starts >= to) return;
      const std::int64_t ends = std::min(to, recorder_[next_recorder_].end);
      piece(ends - starts, !recorder_[next_recorder_].compile, quiet);
      from = ends;
    }
  }

  void piece(std::int64_t ns, bool recorder, bool quiet) {
    push(open_.empty() ? SpanId() : SpanId(open_.back()), recorder, quiet);
    out_.parts.back().ns += ns;
  }

  // Makes the last part one of this kind.
  void push(SpanId inside, bool recorder, bool quiet) {
    HostPart p;
    if (inside.valid()) {
      p.host_class = f_.owners.best[inside.row];
      p.cause = f_.owners.cause[inside.row];
    }
    p.recorder = recorder;
    p.quiet = quiet;
    if (out_.parts.size() > first_part_) {
      HostPart& last = out_.parts.back();
      if (!quiet && !last.quiet && last.host_class == p.host_class && last.cause == p.cause &&
          last.recorder == p.recorder) {
        last.records += records_;
        records_ = 0;
        return;
      }
    }
    p.records = records_;
    records_ = 0;
    out_.parts.push_back(p);
  }

  const HostFacts& f_;
  model::TrackId track_;
  std::vector<SpanId>& anchor_span_;
  const std::vector<analysis::OverheadSpan>& recorder_;
  ThreadAnchors out_;
  std::vector<std::uint32_t> open_;
  std::int64_t now_ = 0;
  std::int64_t done_ = 0;  // end of the last anchor call
  std::size_t first_part_ = 0, next_recorder_ = 0;
  std::uint32_t records_ = 0;  // not yet in a part
};

}  // namespace

ThreadAnchors walk_thread(const HostFacts& facts, const analysis::HostTree& tree,
                          model::TrackId track, std::vector<model::SpanId>& anchor_span) {
  Walk walk(facts, track, anchor_span);
  walk.run(tree.first_span[track.row], tree.first_span[track.row + 1]);
  return walk.take();
}

}  // namespace rooflab::graph
