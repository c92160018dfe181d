// SPDX-License-Identifier: Apache-2.0
// One thread's spans as anchors and what it did between them.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/overhead.h"
#include "graph/graph.h"

namespace rooflab::graph {

struct ThreadAnchors {
  std::vector<Anchor> anchors;  // first_part counts in `parts`; no works, no target yet
  std::vector<HostPart> parts;
};

struct HostFacts {
  const model::Profile& profile;
  const analysis::HostOwners& owners;
  const analysis::Overheads& overheads;
  const std::vector<bool>& is_anchor;  // by span row
};

// Calls inside an anchor call belong to it: `anchor_span` (by span row) gets the anchor's row.
[[nodiscard]] ThreadAnchors walk_thread(const HostFacts& facts, const analysis::HostTree& tree,
                                        model::TrackId track,
                                        std::vector<model::SpanId>& anchor_span);

}  // namespace rooflab::graph
