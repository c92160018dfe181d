// SPDX-License-Identifier: Apache-2.0
// Nesting of host spans: the parent of each span on its track, and the innermost span at a point in
// time.
//
// Spans are sorted by (track, start, longer first), so one pass with a stack finds each parent. A
// span that crosses the end of the one it starts in (clock rounding, hand-cut files) is a child of
// the innermost span that contains it whole.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace rooflab::analysis {

struct HostTree {
  std::vector<model::SpanId> parent;  // by span row; invalid at the top
  // [first_span[t], first_span[t + 1]) are the rows of track t.
  std::vector<std::uint32_t> first_span;

  // The innermost span on `track` with start <= time < end, or invalid. O(log n + depth).
  [[nodiscard]] model::SpanId innermost_at(const model::Profile& p, model::TrackId track,
                                           std::int64_t time) const;
  // The innermost enclosing span of kind `kind`, starting at `from` itself; invalid if none.
  [[nodiscard]] model::SpanId enclosing(const model::Profile& p, model::SpanId from,
                                        model::SpanKind kind) const;
};

[[nodiscard]] HostTree build_host_tree(const model::Profile& profile);

// For each device work the operator that caused it: innermost kOp around its launch, else the one
// the recorder named.
[[nodiscard]] std::vector<model::SpanId> ops_of_work(const model::Profile& profile,
                                                     const HostTree& tree);

}  // namespace rooflab::analysis
