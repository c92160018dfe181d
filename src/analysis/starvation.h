// SPDX-License-Identifier: Apache-2.0
// Who kept the launching thread from launching earlier: the host activity in a stretch of time,
// segment by segment.
//
// Where the thread shows nothing better than a range or code of its own, it may have been waiting
// for another one (the autograd thread waits for the main thread, and the other way round). Then
// the search moves to the launching thread of the same process that was active most recently, if it
// was so after the first one's last activity, and takes what it finds there if it stands higher in
// the precedence; at most three moves.
//
// Stretches must be asked for in order of time: the cursors only move forward, so that a whole
// trace costs one pass.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/host_owner.h"
#include "analysis/host_tree.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct HostSegment {
  std::int64_t start = 0, end = 0;
  HostClass host_class = HostClass::kUnknown;
  model::SpanId cause;
  std::uint8_t hops = 0;
};

class Starvation {
 public:
  static constexpr std::uint8_t kMaxHops = 3;

  Starvation(const model::Profile& profile, const HostTree& tree, const HostOwners& owners);

  // Back to the begin of time, for the next device.
  void restart();

  // Appends what `track` (or who it waited for) did in [start, end): gapless, in order.
  void explain(model::TrackId track, std::int64_t start, std::int64_t end,
               std::vector<HostSegment>& out);

 private:
  // Where a walk along one track's spans has come to.
  struct Cursor {
    std::uint32_t next = 0;          // first row with start > time
    model::SpanId inside;            // innermost span open at time
    std::int64_t last_activity = 0;  // latest begin or end of an operator or call up to time
    bool started = false;
    bool any_activity = false;
  };
  void advance(Cursor& cursor, model::TrackId track, std::int64_t time);
  void touch(Cursor& cursor, std::uint32_t row, std::int64_t time);
  [[nodiscard]] std::int64_t next_change(const Cursor& cursor, model::TrackId track) const;
  void explain_on(std::size_t depth, std::int64_t start, std::int64_t end,
                  std::vector<HostSegment>& out);
  [[nodiscard]] model::TrackId ran_before(std::size_t depth, std::int64_t until);

  const model::Profile& p_;
  const HostTree& tree_;
  const HostOwners& owners_;
  std::vector<model::TrackId> launching_;
  std::vector<Cursor> walk_, recent_;         // by track row
  std::vector<model::TrackId> moved_;         // tracks whose cursors have left the begin
  std::vector<model::TrackId> visited_;       // the chain of threads of the current search
  std::vector<HostSegment> found_[kMaxHops];  // scratch, one a depth
};

}  // namespace rooflab::analysis
