// SPDX-License-Identifier: Apache-2.0
// One pass over the sorted spans with a stack of open ones; see host_tree.h for what crossing spans
// get.
#include "analysis/host_tree.h"

#include <algorithm>

namespace rooflab::analysis {
namespace {

using model::SpanId;

std::vector<std::uint32_t> first_rows(const model::Profile& p) {
  std::vector<std::uint32_t> first(p.tracks.size() + 1, 0);
  for (const model::TrackId track : p.spans.track) ++first[track.row + 1];
  for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
  return first;
}

// Parents of the rows of one track. A span on the stack that ends before a later one does can hold
// no span that the later one does not hold too, so it is dropped for good and the pass stays
// linear.
void link_track(const model::SpanTable& spans, std::uint32_t begin, std::uint32_t end,
                std::vector<SpanId>& parent) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t row = begin; row < end; ++row) {
    const std::int64_t row_start = spans.start[row];
    const std::int64_t row_end = spans.end(row);
    while (!open.empty() &&
           (spans.end(open.back()) < row_end || spans.end(open.back()) <= row_start)) {
      open.pop_back();
    }
    if (!open.empty()) parent[row] = SpanId(open.back());
    open.push_back(row);
  }
}

}  // namespace

HostTree build_host_tree(const model::Profile& profile) {
  HostTree tree;
  tree.first_span = first_rows(profile);
  tree.parent.resize(profile.spans.size());
  for (std::size_t t = 0; t + 1 < tree.first_span.size(); ++t) {
    link_track(profile.spans, tree.first_span[t], tree.first_span[t + 1], tree.parent);
  }
  return tree;
}

SpanId HostTree::innermost_at(const model::Profile& p, model::TrackId track,
                              std::int64_t time) const {
  if (std::size_t{track.row} + 1 >= first_span.size()) return {};
  const auto begin = p.spans.start.begin() + first_span[track.row];
  const auto end = p.spans.start.begin() + first_span[track.row + 1];
  const auto after = std::upper_bound(begin, end, time);
  if (after == begin) return {};
  SpanId span(static_cast<std::size_t>(after - p.spans.start.begin()) - 1);
  while (span.valid() && p.spans.end(span.row) <= time) span = parent[span.row];
  return span;
}

SpanId HostTree::enclosing(const model::Profile& p, SpanId from, model::SpanKind kind) const {
  while (from.valid() && p.spans.kind[from.row] != kind) from = parent[from.row];
  return from;
}

std::vector<SpanId> ops_of_work(const model::Profile& profile, const HostTree& tree) {
  // The innermost operator of every span: parents stand before their children.
  std::vector<SpanId> op_of(profile.spans.size());
  for (std::size_t row = 0; row < op_of.size(); ++row) {
    const SpanId parent = tree.parent[row];
    if (profile.spans.kind[row] == model::SpanKind::kOp) {
      op_of[row] = SpanId(row);
    } else if (parent.valid()) {
      op_of[row] = op_of[parent.row];
    }
  }
  std::vector<SpanId> ops = profile.work.op;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const SpanId launch = profile.work.launch[i];
    if (launch.valid() && op_of[launch.row].valid()) ops[i] = op_of[launch.row];
  }
  return ops;
}

}  // namespace rooflab::analysis
