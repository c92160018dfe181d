// SPDX-License-Identifier: Apache-2.0
// The recorder's own work on the host, by the thread it held up.
//
// Some recorders do not say on which thread their work ran. Such a record is charged to the thread
// that shows it: no span begins or ends there while it lasts, and a call surrounds it or is the
// next thing to begin (a recorder asks for its buffers on entry to a call). A record that no thread
// shows is charged to none.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/markers.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct OverheadSpan {
  std::int64_t start = 0, end = 0;
  model::SpanId span;
  bool compile =
      false;  // not the recorder's work: code being loaded, which it reports the same way
};

struct Overheads {
  std::vector<std::vector<OverheadSpan>> of_track;  // by track row; disjoint, in order of start
  std::int64_t unplaced = 0;
};

[[nodiscard]] Overheads place_overheads(const model::Profile& profile, const HostTree& tree,
                                        MarkedNames& names);

// Tracks from which device work was launched, most launches first, at most `limit`.
[[nodiscard]] std::vector<model::TrackId> launching_tracks(const model::Profile& profile,
                                                           std::size_t limit);

}  // namespace rooflab::analysis
