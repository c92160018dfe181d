// SPDX-License-Identifier: Apache-2.0
// The anchors of all threads in one order, each following the anchor it waited for on the host.
#pragma once

#include "graph/graph.h"

namespace rooflab::graph {

struct HostOrder {
  std::vector<model::SpanId> anchor_span;     // by span row: the anchor call it is or is inside of
  std::vector<std::uint32_t> anchor_of_span;  // by span row of an anchor call; else kNoAnchor
};

// Fills graph.anchors and graph.parts, without works.
[[nodiscard]] HostOrder order_host(const analysis::Analysis& analysis, Graph& graph);

}  // namespace rooflab::graph
