// SPDX-License-Identifier: Apache-2.0
// Who owns a gap in which a device has no active work: the gap is cut at the begin and the end of
// the call that launched the work ending it (DESIGN section 3).
//
//   recorder's work on the launching thread -> idle.profiler     before the call -> idle.starved.*
//   in the call -> idle.in_call       after it, at most 50 us -> idle.dispatch, longer ->
//   idle.blocked no launch record -> idle.unlinked     between two works of one launch, at most 50
//   us -> idle.graph
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/device_sweep.h"
#include "analysis/overhead.h"
#include "analysis/owner_table.h"
#include "analysis/starvation.h"

namespace rooflab::analysis {

// Launched but not started for longer than this is more than dispatch latency: a wait for other
// work, or work missing from the file. Over 63 public traces, launched-not-started gaps are below
// it but in cut or sampled files, where they are milliseconds.
constexpr Nanos kDispatchLimit{50000};

class GapSplit {
 public:
  GapSplit(const model::Profile& profile, const Overheads& overheads, Starvation& starvation,
           OwnerTable& owners);

  // Appends stretches for the part of `gap` inside [from, to). Gaps must come in order of time.
  void split(const Segment& gap, std::int64_t from, std::int64_t to, std::vector<Stretch>& out);

 private:
  struct Part {
    std::int64_t start = 0, end = 0;
    model::WorkId work;
    model::SpanId cause;
  };
  void add(const Part& part, std::uint32_t owner, std::uint8_t hops, std::vector<Stretch>& out);
  void host_part(const Part& part, model::TrackId track, std::vector<Stretch>& out);
  template <class Rest>
  void around_overheads(const Part& part, model::TrackId track, std::vector<Stretch>& out,
                        bool starved, Rest rest);

  const model::Profile& p_;
  const Overheads& overheads_;
  Starvation& starvation_;
  OwnerTable& owners_;
  std::vector<HostSegment> segments_;  // scratch
};

// Appends `stretch`, joining it to the last one when both have the same owner, work and cause.
void append_stretch(const Stretch& stretch, std::vector<Stretch>& out);

}  // namespace rooflab::analysis
