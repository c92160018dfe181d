// SPDX-License-Identifier: Apache-2.0
#include "graph/device_order.h"

#include <algorithm>
#include <limits>

#include "analysis/device_sweep.h"
#include "analysis/markers.h"

namespace rooflab::graph {
namespace {

using model::SpanId;
using model::TrackId;
using model::WorkId;

// A call may be stamped as ended a little before the work it waited for (two clocks, joined by the
// recorder).
constexpr std::int64_t kClockSlackNs = 2'000;
// And by this part of a long call: the last chunk of a staged copy is still on its way.
constexpr std::int64_t kSlackShare = 100;
// Work that started this long before its call ended was handed over inside the call.
constexpr std::int64_t kStagedNs = 10'000;
// Work that starts within this of another stream's end, later than its own stream and launch
// explain, waited for it: event waits take 1-10 us in the recordings at hand.
constexpr std::int64_t kNearNs = 15'000;
// Later than explained by at least this.
constexpr double kUnexplainedNs = 3'000;

std::vector<WorkId> by_start(const model::Profile& p) {
  std::vector<WorkId> rows;
  rows.reserve(p.work.size());
  for (std::uint32_t row = 0; row < p.work.size(); ++row) rows.emplace_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](WorkId a, WorkId b) { return p.work.start[a.row] < p.work.start[b.row]; });
  return rows;
}

// One anchor of its own for each work that no call launched, merged into the order.
void add_unlinked(const std::vector<WorkId>& unlinked, Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  std::vector<Anchor> old;
  std::vector<HostPart> old_parts;
  old.swap(g.anchors);
  old_parts.swap(g.parts);
  std::vector<std::uint32_t> moved(old.size());
  std::size_t next = 0;
  const auto copy_until = [&](std::int64_t time) {
    for (; next < old.size() && old[next].begin <= time; ++next) {
      Anchor a = old[next];
      const std::size_t end = next + 1 < old.size() ? old[next + 1].first_part : old_parts.size();
      moved[next] = static_cast<std::uint32_t>(g.anchors.size());
      if (a.after != kNoAnchor) a.after = moved[a.after];
      const auto first = static_cast<std::ptrdiff_t>(a.first_part);
      a.first_part = static_cast<std::uint32_t>(g.parts.size());
      g.parts.insert(g.parts.end(), old_parts.begin() + first,
                     old_parts.begin() + static_cast<std::ptrdiff_t>(end));
      g.anchors.push_back(a);
    }
  };
  for (const WorkId w : unlinked) {
    const std::int64_t start = p.work.start[w.row];
    copy_until(start);
    Anchor a;
    a.begin = a.end = start;
    a.first_part = static_cast<std::uint32_t>(g.parts.size());
    if (!g.anchors.empty() && g.anchors.back().end <= start) {
      a.after = static_cast<std::uint32_t>(g.anchors.size() - 1);
      HostPart part;
      part.ns = start - g.anchors.back().end;
      g.parts.push_back(part);
    }
    g.anchor_of_work[w.row] = static_cast<std::uint32_t>(g.anchors.size());
    g.anchors.push_back(a);
  }
  copy_until(std::numeric_limits<std::int64_t>::max());
  for (std::uint32_t row = 0; row < p.work.size(); ++row) {
    if (p.work.launch[row].valid()) g.anchor_of_work[row] = moved[g.anchor_of_work[row]];
  }
}

// The last work on each stream launched so far, to walk back from.
struct Launched {
  std::vector<std::vector<WorkId>> of_track;
};

}  // namespace

void place_works(const HostOrder& host, Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  const std::vector<WorkId> rows = by_start(p);
  g.anchor_of_work.assign(p.work.size(), kNoAnchor);
  std::vector<WorkId> unlinked;
  for (const WorkId w : rows) {
    const SpanId launch = p.work.launch[w.row];
    const SpanId anchor = launch.valid() ? host.anchor_span[launch.row] : SpanId();
    const std::uint32_t at = anchor.valid() ? host.anchor_of_span[anchor.row] : kNoAnchor;
    if (at == kNoAnchor) {
      unlinked.push_back(w);
    } else {
      g.anchor_of_work[w.row] = at;
    }
  }
  if (!unlinked.empty()) add_unlinked(unlinked, g);
  g.anchors.emplace_back();  // the sentinel
  g.anchors.back().first_part = static_cast<std::uint32_t>(g.parts.size());
  for (const WorkId w : rows) ++g.anchors[g.anchor_of_work[w.row]].first_work;
  std::uint32_t sum = 0;
  for (Anchor& a : g.anchors) {
    const std::uint32_t count = a.first_work;
    a.first_work = sum;
    sum += count;
  }
  g.works_of_anchor.resize(rows.size());
  std::vector<std::uint32_t> filled(g.anchors.size(), 0);
  for (const WorkId w : rows) {
    const std::uint32_t at = g.anchor_of_work[w.row];
    g.works_of_anchor[g.anchors[at].first_work + filled[at]++] = w;
  }
}

void find_waits(Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  std::vector<std::vector<WorkId>> launched(p.tracks.size());  // by stream, in launch order
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    Anchor& a = g.anchors[i];
    const std::uint32_t end = g.anchors[i + 1].first_work;
    if (a.first_work < end && a.span.valid()) {
      const WorkId first = g.works_of_anchor[a.first_work];
      const bool copy = p.work.kind[first.row] == model::WorkKind::kCopy;
      const std::int64_t start = p.work.start[first.row];
      const std::int64_t slack = std::max(kClockSlackNs, (a.end - a.begin) / kSlackShare);
      if (start >= a.begin && start < a.end - kStagedNs) a.issue_ns = start - a.begin;
      if (copy && start >= a.begin && start < a.end && p.work.end(first.row) <= a.end + slack) {
        a.wait = Wait::kOwnWork;
        a.target = first;
        a.unstage_ns = std::max<std::int64_t>(0, a.end - p.work.end(first.row));
        a.issue_ns = start - a.begin;
        // A copy to the host cannot begin to be staged before its stream is done: that is waiting
        // and not the copy's own cost.
        const std::vector<WorkId>& stream = launched[p.work.track[first.row].row];
        const std::int64_t before = stream.empty() ? a.begin : p.work.end(stream.back().row);
        const bool down = p.work.direction[first.row] == model::CopyDirection::kDeviceToHost;
        if (down && before > a.begin && before <= start) a.issue_ns = start - before;
      }
    } else if (a.first_work == end && a.span.valid()) {
      // A synchronising call: the last work that ended in it.
      WorkId target;
      for (const std::vector<WorkId>& stream : launched) {
        for (std::size_t back = stream.size(); back-- > 0;) {
          const WorkId w = stream[back];
          if (p.work.end(w.row) > a.end + kClockSlackNs) continue;
          const bool later = !target.valid() || p.work.end(w.row) > p.work.end(target.row);
          if (later && p.work.end(w.row) > a.begin) target = w;
          break;
        }
      }
      if (target.valid()) {
        a.wait = Wait::kWork;
        a.target = target;
      }
    }
    for (std::uint32_t k = a.first_work; k < end; ++k) {
      const WorkId w = g.works_of_anchor[k];
      launched[p.work.track[w.row].row].push_back(w);
    }
  }
}

namespace {

// Where a thread told a stream to wait between two launches on different streams, the second waits
// for the last work that the thread launched on the first.
void told_to_wait(Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  analysis::MarkedNames names(p);
  const auto bit = analysis::bit(analysis::Marker::kStreamWait);
  struct Thread {
    std::uint32_t next = 0;  // span row to look for waits from
    bool started = false;
    WorkId last;
  };
  std::vector<Thread> threads(p.tracks.size());
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const Anchor& a = g.anchors[i];
    if (!a.span.valid() || a.first_work == g.anchors[i + 1].first_work) continue;
    Thread& t = threads[a.track.row];
    if (!t.started) t.next = g.analysis->tree.first_span[a.track.row];
    t.started = true;
    bool told = false;
    for (; t.next < a.span.row; ++t.next) {
      const model::SpanKind kind = p.spans.kind[t.next];
      if (kind != model::SpanKind::kRuntimeCall && kind != model::SpanKind::kDriverCall) continue;
      told = told || (names.of(p.spans.name[t.next], analysis::NameUse::kCall) & bit) != 0;
    }
    const WorkId first = g.works_of_anchor[a.first_work];
    if (told && t.last.valid() && p.work.track[t.last.row] != p.work.track[first.row] &&
        p.work.end(t.last.row) <= p.work.start[first.row] + kClockSlackNs) {
      g.depends_on[first.row] = t.last;
    }
    t.last = g.works_of_anchor[g.anchors[i + 1].first_work - 1];
  }
}

// Work that began later than its launch and its stream explain, right after other work's end.
void started_after(Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  std::vector<WorkId> by_end;
  by_end.reserve(p.work.size());
  for (std::uint32_t row = 0; row < p.work.size(); ++row) by_end.emplace_back(row);
  std::sort(by_end.begin(), by_end.end(), [&](WorkId a, WorkId b) {
    return p.work.end(a.row) != p.work.end(b.row) ? p.work.end(a.row) < p.work.end(b.row)
                                                  : a.row < b.row;
  });
  std::vector<std::int64_t> stream_end(p.tracks.size(), std::numeric_limits<std::int64_t>::min());
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const Anchor& a = g.anchors[i];
    for (std::uint32_t k = a.first_work; k < g.anchors[i + 1].first_work; ++k) {
      const WorkId w = g.works_of_anchor[k];
      const std::int64_t start = p.work.start[w.row];
      std::int64_t& previous = stream_end[p.work.track[w.row].row];
      const double issue = static_cast<double>(a.begin + a.issue_ns) + g.latencies.dispatch;
      const double explained = std::max(issue, static_cast<double>(previous));
      previous = std::max(previous, p.work.end(w.row));
      if (g.depends_on[w.row].valid() || static_cast<double>(start) - explained < kUnexplainedNs) {
        continue;
      }
      auto it = std::upper_bound(by_end.begin(), by_end.end(), start,
                                 [&](std::int64_t t, WorkId x) { return t < p.work.end(x.row); });
      while (it != by_end.begin()) {
        const WorkId before = *--it;
        if (p.work.end(before.row) < start - kNearNs) break;
        const bool other = p.work.track[before.row] != p.work.track[w.row] &&
                           p.device_of(before.row) == p.device_of(w.row) &&
                           g.anchor_of_work[before.row] <= g.anchor_of_work[w.row] &&
                           p.work.start[before.row] < start;
        if (!other) continue;
        g.depends_on[w.row] = before;
        break;
      }
    }
  }
}

}  // namespace

void find_dependencies(const HostOrder& /*host*/, Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  g.depends_on.assign(p.work.size(), WorkId());
  std::size_t streams = 0;
  for (const model::Track& t : p.tracks) streams += t.kind == model::TrackKind::kStream ? 1 : 0;
  if (streams < 2) return;
  told_to_wait(g);
  started_after(g);
}

}  // namespace rooflab::graph
