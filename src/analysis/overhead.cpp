// SPDX-License-Identifier: Apache-2.0
// Places each overhead record on a thread; see overhead.h for the rule.
#include "analysis/overhead.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;
using model::TrackId;

// How long after a record the call may begin for whose sake the recorder ran. On the H200
// recordings the distance is at most 0.2 ms; 1 ms leaves room for slow hosts and is far below the
// gaps between unrelated calls.
constexpr std::int64_t kCallFollowsWithin = 1000000;
// Threads tried for a record without one: beyond these no thread launches often enough to matter.
constexpr std::size_t kThreadsTried = 16;

bool is_call(SpanKind kind) {
  return kind == SpanKind::kRuntimeCall || kind == SpanKind::kDriverCall;
}

// How far after [start, end) the call begins that was held up by it on `track`; 0 if a call
// surrounds it, nothing if the track does not show it.
std::optional<std::int64_t> distance_to_call(const model::Profile& p, const HostTree& tree,
                                             TrackId track, std::int64_t start, std::int64_t end) {
  const auto& spans = p.spans;
  const SpanId around = tree.innermost_at(p, track, start);
  if (around.valid() && spans.end(around.row) < end) return {};
  const auto first = spans.start.begin() + tree.first_span[track.row];
  const auto last = spans.start.begin() + tree.first_span[track.row + 1];
  const auto next = std::upper_bound(first, last, start);
  if (next != last && *next < end) return {};
  if (around.valid() && is_call(spans.kind[around.row])) return 0;
  if (next == last) return {};
  const auto row = static_cast<std::size_t>(next - spans.start.begin());
  if (!is_call(spans.kind[row])) return {};
  if (around.valid() && spans.end(around.row) < *next) return {};
  const std::int64_t distance = *next - end;
  if (distance > kCallFollowsWithin) return {};
  return distance;
}

// True where a track holds anything else than overhead: then its overhead is that thread's own.
std::vector<bool> tracks_with_activity(const model::Profile& p) {
  std::vector<bool> active(p.tracks.size(), false);
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.spans.kind[i] != SpanKind::kOverhead) active[p.spans.track[i].row] = true;
  }
  return active;
}

// Sorts and cuts away what an earlier record covers, so that time is not charged twice.
void make_disjoint(std::vector<OverheadSpan>& spans) {
  std::sort(spans.begin(), spans.end(), [](const OverheadSpan& a, const OverheadSpan& b) {
    return a.start != b.start ? a.start < b.start : a.span < b.span;
  });
  std::int64_t covered = std::numeric_limits<std::int64_t>::min();
  std::size_t kept = 0;
  for (OverheadSpan span : spans) {
    span.start = std::max(span.start, covered);
    if (span.start >= span.end) continue;
    covered = span.end;
    spans[kept++] = span;
  }
  spans.resize(kept);
}

}  // namespace

std::vector<TrackId> launching_tracks(const model::Profile& profile, std::size_t limit) {
  std::vector<std::int64_t> launches(profile.tracks.size(), 0);
  for (const SpanId launch : profile.work.launch) {
    if (launch.valid()) ++launches[profile.spans.track[launch.row].row];
  }
  std::vector<TrackId> tracks;
  for (std::size_t t = 0; t < launches.size(); ++t) {
    if (launches[t] > 0) tracks.emplace_back(t);
  }
  std::stable_sort(tracks.begin(), tracks.end(),
                   [&](TrackId a, TrackId b) { return launches[a.row] > launches[b.row]; });
  if (tracks.size() > limit) tracks.resize(limit);
  return tracks;
}

Overheads place_overheads(const model::Profile& profile, const HostTree& tree, MarkedNames& names) {
  Overheads out;
  out.of_track.resize(profile.tracks.size());
  const auto& spans = profile.spans;
  if (std::find(spans.kind.begin(), spans.kind.end(), SpanKind::kOverhead) == spans.kind.end()) {
    return out;
  }
  const std::vector<bool> active = tracks_with_activity(profile);
  const std::vector<TrackId> launching = launching_tracks(profile, kThreadsTried);
  for (std::size_t row = 0; row < spans.size(); ++row) {
    if (spans.kind[row] != SpanKind::kOverhead) continue;
    const MarkerBits bits = names.of(spans.name[row], NameUse::kOverhead);
    const OverheadSpan overhead{spans.start[row], spans.end(row), SpanId(row),
                                (bits & bit(Marker::kCompile)) != 0};
    TrackId place;
    if (active[spans.track[row].row]) {
      place = spans.track[row];
    } else {
      std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
      for (const TrackId track : launching) {
        const auto distance = distance_to_call(profile, tree, track, overhead.start, overhead.end);
        if (!distance || *distance >= nearest) continue;
        nearest = *distance;
        place = track;
      }
    }
    if (place.valid()) {
      out.of_track[place.row].push_back(overhead);
    } else {
      ++out.unplaced;
    }
  }
  for (auto& list : out.of_track) make_disjoint(list);
  return out;
}

}  // namespace rooflab::analysis
