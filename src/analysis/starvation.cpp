// SPDX-License-Identifier: Apache-2.0
// The walk along a thread's spans and the moves between threads.
#include "analysis/starvation.h"

#include <algorithm>
#include <limits>

#include "analysis/overhead.h"

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;
using model::TrackId;

// Threads that can be moved to. More launching threads in one process than this were never seen.
constexpr std::size_t kThreadsTried = 16;

bool is_activity(SpanKind kind) {
  return kind == SpanKind::kOp || kind == SpanKind::kRuntimeCall || kind == SpanKind::kDriverCall;
}

}  // namespace

Starvation::Starvation(const model::Profile& profile, const HostTree& tree,
                       const HostOwners& owners)
    : p_(profile),
      tree_(tree),
      owners_(owners),
      launching_(launching_tracks(profile, kThreadsTried)),
      walk_(profile.tracks.size()),
      recent_(profile.tracks.size()) {}

void Starvation::restart() {
  for (const TrackId track : moved_) walk_[track.row] = recent_[track.row] = Cursor();
  moved_.clear();
}

void Starvation::touch(Cursor& cursor, std::uint32_t row, std::int64_t time) {
  if (!is_activity(p_.spans.kind[row])) return;
  std::int64_t latest = p_.spans.start[row];
  if (p_.spans.end(row) <= time) latest = p_.spans.end(row);
  cursor.last_activity = cursor.any_activity ? std::max(cursor.last_activity, latest) : latest;
  cursor.any_activity = true;
}

void Starvation::advance(Cursor& cursor, TrackId track, std::int64_t time) {
  if (!cursor.started) {
    cursor.started = true;
    moved_.push_back(track);
    cursor.next = tree_.first_span[track.row];
  }
  const std::uint32_t end = tree_.first_span[track.row + 1];
  while (cursor.next < end && p_.spans.start[cursor.next] <= time) {
    cursor.inside = SpanId(cursor.next);
    touch(cursor, cursor.next, time);
    ++cursor.next;
  }
  while (cursor.inside.valid() && p_.spans.end(cursor.inside.row) <= time) {
    touch(cursor, cursor.inside.row, time);
    cursor.inside = tree_.parent[cursor.inside.row];
  }
}

std::int64_t Starvation::next_change(const Cursor& cursor, TrackId track) const {
  std::int64_t change = std::numeric_limits<std::int64_t>::max();
  if (cursor.next < tree_.first_span[track.row + 1]) change = p_.spans.start[cursor.next];
  if (cursor.inside.valid()) change = std::min(change, p_.spans.end(cursor.inside.row));
  return change;
}

void Starvation::explain(TrackId track, std::int64_t start, std::int64_t end,
                         std::vector<HostSegment>& out) {
  visited_.assign(1, track);
  explain_on(0, start, end, out);
}

void Starvation::explain_on(std::size_t depth, std::int64_t start, std::int64_t end,
                            std::vector<HostSegment>& out) {
  const TrackId track = visited_[depth];
  for (std::int64_t now = start; now < end;) {
    Cursor& cursor = walk_[track.row];
    advance(cursor, track, now);
    HostSegment own{now,
                    std::min(end, next_change(cursor, track)),
                    HostClass::kUnknown,
                    {},
                    static_cast<std::uint8_t>(depth)};
    if (cursor.inside.valid()) {
      own.host_class = owners_.best[cursor.inside.row];
      own.cause = owners_.cause[cursor.inside.row];
    }
    now = own.end;
    // A thread that waits for another is explained by what that one did.
    const bool waits = own.host_class == HostClass::kOffCpu;
    const bool weak = waits || own.host_class > HostClass::kFramework;
    const TrackId other = weak && depth < kMaxHops ? ran_before(depth, own.end) : TrackId();
    if (!other.valid()) {
      out.push_back(own);
      continue;
    }
    visited_.push_back(other);
    std::vector<HostSegment>& found = found_[depth];
    found.clear();
    explain_on(depth + 1, own.start, own.end, found);
    visited_.pop_back();
    for (HostSegment& segment : found) {
      const bool says_more = waits ? segment.host_class != HostClass::kOffCpu &&
                                         segment.host_class != HostClass::kUnknown
                                   : segment.host_class < own.host_class;
      if (!says_more) {
        segment.host_class = own.host_class;
        segment.cause = own.cause;
        segment.hops = own.hops;
      }
      out.push_back(segment);
    }
  }
}

TrackId Starvation::ran_before(std::size_t depth, std::int64_t until) {
  const TrackId track = visited_[depth];
  const Cursor& waiting = walk_[track.row];
  TrackId best;
  std::int64_t latest = 0;
  for (const TrackId other : launching_) {
    if (p_.tracks[other.row].process != p_.tracks[track.row].process) continue;
    if (std::find(visited_.begin(), visited_.end(), other) != visited_.end()) continue;
    Cursor& cursor = recent_[other.row];
    advance(cursor, other, until);
    if (!cursor.any_activity) continue;
    if (waiting.any_activity && cursor.last_activity <= waiting.last_activity) continue;
    if (best.valid() && cursor.last_activity <= latest) continue;
    best = other;
    latest = cursor.last_activity;
  }
  return best;
}

}  // namespace rooflab::analysis
