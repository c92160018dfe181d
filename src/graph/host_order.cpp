// SPDX-License-Identifier: Apache-2.0
#include "graph/host_order.h"

#include <algorithm>

#include "analysis/host_owner.h"
#include "analysis/markers.h"
#include "analysis/overhead.h"
#include "graph/host_walk.h"

namespace rooflab::graph {
namespace {

using analysis::Marker;
using model::SpanKind;

// Calls that launch device work or wait for it; `tracks` becomes true where there is one.
std::vector<bool> find_anchors(const model::Profile& p, analysis::MarkedNames& names,
                               std::vector<bool>& tracks) {
  std::vector<bool> is_anchor(p.spans.size(), false);
  for (const model::SpanId launch : p.work.launch) {
    if (!launch.valid()) continue;
    is_anchor[launch.row] = true;
    tracks[p.spans.track[launch.row].row] = true;
  }
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const SpanKind kind = p.spans.kind[row];
    if (kind != SpanKind::kRuntimeCall && kind != SpanKind::kDriverCall) continue;
    const auto waits = analysis::bit(Marker::kSync);
    if (!tracks[p.spans.track[row].row]) continue;  // a thread that only waits holds up no launch
    if ((names.of(p.spans.name[row], analysis::NameUse::kCall) & waits) != 0) is_anchor[row] = true;
  }
  return is_anchor;
}

// Where each thread's anchors stand in the merged order.
struct Placed {
  std::uint32_t thread, index;
};

std::vector<Placed> merge_order(const std::vector<ThreadAnchors>& threads) {
  std::vector<Placed> order;
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    const auto count = static_cast<std::uint32_t>(threads[t].anchors.size());
    for (std::uint32_t i = 0; i < count; ++i) order.push_back({t, i});
  }
  std::stable_sort(order.begin(), order.end(), [&](const Placed& a, const Placed& b) {
    return threads[a.thread].anchors[a.index].begin < threads[b.thread].anchors[b.index].begin;
  });
  return order;
}

// Puts the anchors of one process into one order and finds who followed whom.
class Merge {
 public:
  Merge(const std::vector<ThreadAnchors>& threads, Graph& graph)
      : threads_(threads), g_(graph), last_of_thread_(threads.size(), kNoAnchor) {}

  void add(const Placed& placed) {
    const ThreadAnchors& thread = threads_[placed.thread];
    Anchor a = thread.anchors[placed.index];
    const std::size_t end = placed.index + 1 < thread.anchors.size()
                                ? thread.anchors[placed.index + 1].first_part
                                : thread.parts.size();
    first_ = thread.parts.begin() + a.first_part;
    last_ = thread.parts.begin() + static_cast<std::ptrdiff_t>(end);
    const std::uint32_t own = last_of_thread_[placed.thread];
    const std::uint32_t other = latest_other(placed.thread, a.begin);
    a.after = own;
    skip_ = lead_ = 0;
    if (other != kNoAnchor && was_silent(own, other, a.begin)) {
      a.after = other;
      a.handed_off = true;
    }
    a.first_part = static_cast<std::uint32_t>(g_.parts.size());
    if (a.after != kNoAnchor) append_parts();
    last_of_thread_[placed.thread] = static_cast<std::uint32_t>(g_.anchors.size());
    g_.anchors.push_back(a);
  }

 private:
  // The anchor of another thread that ended last before `begin`.
  [[nodiscard]] std::uint32_t latest_other(std::uint32_t thread, std::int64_t begin) const {
    std::uint32_t best = kNoAnchor;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      const std::uint32_t last = last_of_thread_[t];
      if (t == thread || last == kNoAnchor || g_.anchors[last].end > begin) continue;
      if (best == kNoAnchor || g_.anchors[last].end > g_.anchors[best].end) best = last;
    }
    return best;
  }

  // Whether the thread was silent while `other` ran; sets skip_ to the time that passed before, or
  // lead_ to the time until its first record.
  bool was_silent(std::uint32_t own, std::uint32_t other, std::int64_t begin) {
    std::int64_t sum = 0;
    for (auto part = first_; part != last_; ++part) sum += part->ns;
    std::int64_t time = begin - sum;
    if (own == kNoAnchor) {
      // Its first anchor: whatever came before, it began no earlier than the other's last call.
      skip_ = std::max<std::int64_t>(0, g_.anchors[other].end - time);
      lead_ = std::max<std::int64_t>(0, time - g_.anchors[other].end);
      return true;
    }
    if (g_.anchors[other].end <= g_.anchors[own].end) return false;
    for (auto part = first_; part != last_; ++part) {
      const bool spans = part->quiet && time <= g_.anchors[other].begin &&
                         g_.anchors[other].end <= time + part->ns;
      if (spans) {
        skip_ = g_.anchors[other].end - (begin - sum);
        return true;
      }
      time += part->ns;
    }
    return false;
  }

  void append_parts() {
    if (lead_ > 0) {
      HostPart silent;
      silent.ns = lead_;
      g_.parts.push_back(silent);
    }
    std::int64_t skip = skip_;
    for (auto part = first_; part != last_; ++part) {
      HostPart p = *part;
      const std::int64_t cut = std::min(skip, p.ns);
      skip -= cut;
      p.ns -= cut;
      if (p.ns == 0 && cut > 0) continue;
      g_.parts.push_back(p);
    }
  }

  const std::vector<ThreadAnchors>& threads_;
  Graph& g_;
  std::vector<std::uint32_t> last_of_thread_;
  std::vector<HostPart>::const_iterator first_, last_;
  std::int64_t skip_ = 0, lead_ = 0;
};

}  // namespace

HostOrder order_host(const analysis::Analysis& a, Graph& graph) {
  const model::Profile& p = *a.profile;
  analysis::MarkedNames names(p);
  const analysis::HostOwners owners = analysis::host_owners(p, a.tree, names, a.units, a.selection);
  const analysis::Overheads overheads = analysis::place_overheads(p, a.tree, names);
  std::vector<bool> tracks(p.tracks.size(), false);
  const std::vector<bool> is_anchor = find_anchors(p, names, tracks);
  HostOrder out;
  out.anchor_span.assign(p.spans.size(), model::SpanId());
  out.anchor_of_span.assign(p.spans.size(), kNoAnchor);
  std::vector<ThreadAnchors> threads;
  const HostFacts facts{p, owners, overheads, is_anchor};
  for (std::uint32_t t = 0; t < p.tracks.size(); ++t) {
    if (tracks[t]) {
      threads.push_back(walk_thread(facts, a.tree, model::TrackId(t), out.anchor_span));
    }
  }
  Merge merge(threads, graph);
  for (const Placed& placed : merge_order(threads)) merge.add(placed);
  for (std::uint32_t i = 0; i < graph.anchors.size(); ++i) {
    out.anchor_of_span[graph.anchors[i].span.row] = i;
  }
  return out;
}

}  // namespace rooflab::graph
