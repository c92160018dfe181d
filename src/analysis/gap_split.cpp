// SPDX-License-Identifier: Apache-2.0
// Cuts gaps; see gap_split.h.
#include "analysis/gap_split.h"

#include <algorithm>

namespace rooflab::analysis {

using model::SpanId;
using model::TrackId;

GapSplit::GapSplit(const model::Profile& profile, const Overheads& overheads,
                   Starvation& starvation, OwnerTable& owners)
    : p_(profile), overheads_(overheads), starvation_(starvation), owners_(owners) {}

void append_stretch(const Stretch& stretch, std::vector<Stretch>& out) {
  if (stretch.start >= stretch.end) return;
  if (!out.empty()) {
    Stretch& last = out.back();
    const bool same = last.owner == stretch.owner && last.work == stretch.work &&
                      last.cause == stretch.cause && last.hops == stretch.hops;
    if (same && last.end == stretch.start) {
      last.end = stretch.end;
      return;
    }
  }
  out.push_back(stretch);
}

void GapSplit::add(const Part& part, std::uint32_t owner, std::uint8_t hops,
                   std::vector<Stretch>& out) {
  if (part.start >= part.end) return;
  owners_.add(owner, part.end - part.start);
  append_stretch({Nanos(part.start), Nanos(part.end), owner, part.work, part.cause, hops}, out);
}

// Calls rest(piece) for the pieces of `part` that no overhead on `track` covers, and gives the
// others to the recorder. Records of code being loaded are not the recorder's doing: they own
// starved time as `compile`.
template <class Rest>
void GapSplit::around_overheads(const Part& part, TrackId track, std::vector<Stretch>& out,
                                bool starved, Rest rest) {
  const std::vector<OverheadSpan>& list = overheads_.of_track[track.row];
  std::int64_t now = part.start;
  auto it = std::partition_point(list.begin(), list.end(),
                                 [now](const OverheadSpan& o) { return o.end <= now; });
  for (; it != list.end() && it->start < part.end; ++it) {
    const OverheadSpan& overhead = *it;
    if (overhead.compile && !starved) continue;
    const std::int64_t begin = std::max(now, overhead.start);
    const std::int64_t end = std::min(part.end, overhead.end);
    if (begin >= end) continue;
    rest(Part{now, begin, part.work, part.cause});
    const std::uint32_t owner = overhead.compile
                                    ? owners_.of_host(HostClass::kCompile, overhead.span)
                                    : owners_.of_idle(IdleOwner::kProfiler);
    add(Part{begin, end, part.work, overhead.span}, owner, 0, out);
    now = end;
  }
  rest(Part{now, part.end, part.work, part.cause});
}

void GapSplit::host_part(const Part& part, TrackId track, std::vector<Stretch>& out) {
  if (part.start >= part.end) return;
  around_overheads(part, track, out, true, [&](const Part& piece) {
    segments_.clear();
    if (piece.start < piece.end) starvation_.explain(track, piece.start, piece.end, segments_);
    for (const HostSegment& s : segments_) {
      add(Part{s.start, s.end, part.work, s.cause}, owners_.of_host(s.host_class, s.cause), s.hops,
          out);
    }
  });
}

void GapSplit::split(const Segment& gap, std::int64_t from, std::int64_t to,
                     std::vector<Stretch>& out) {
  const std::int64_t start = std::max(gap.start, from);
  const std::int64_t end = std::min(gap.end, to);
  if (start >= end) return;
  const SpanId launch = p_.work.launch[gap.work.row];
  const SpanId op = p_.work.op[gap.work.row];
  const SpanId known = launch.valid() ? launch : op;
  if (!known.valid()) {
    add(Part{start, end, gap.work, {}}, owners_.of_idle(IdleOwner::kUnlinked), 0, out);
    return;
  }
  const TrackId track = p_.spans.track[known.row];
  const std::int64_t begins = std::clamp(p_.spans.start[known.row], start, end);
  const auto fixed = [&](std::int64_t a, std::int64_t b, IdleOwner owner) {
    if (a >= b) return;
    around_overheads(Part{a, b, gap.work, known}, track, out, false,
                     [&](const Part& piece) { add(piece, owners_.of_idle(owner), 0, out); });
  };
  if (!launch.valid()) {
    // Only the operator is known: what came before it is the host's, the rest may be anything.
    host_part(Part{start, begins, gap.work, {}}, track, out);
    fixed(begins, end, IdleOwner::kUnlinked);
    return;
  }
  const std::int64_t launch_end = p_.spans.end(launch.row);
  // The limit looks at the whole gap, so that a window's edge does not change what a gap is.
  const std::int64_t waited = gap.end - std::clamp(launch_end, gap.start, gap.end);
  const bool is_short = waited <= kDispatchLimit.value;
  if (gap.inside_launch) {
    fixed(start, end,
          gap.end - gap.start <= kDispatchLimit.value ? IdleOwner::kGraph : IdleOwner::kBlocked);
    return;
  }
  const std::int64_t returns = std::clamp(launch_end, begins, end);
  host_part(Part{start, begins, gap.work, {}}, track, out);
  fixed(begins, returns, IdleOwner::kInCall);
  fixed(returns, end, is_short ? IdleOwner::kDispatch : IdleOwner::kBlocked);
}

}  // namespace rooflab::analysis
