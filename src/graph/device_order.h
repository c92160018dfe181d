// SPDX-License-Identifier: Apache-2.0
// The device's side of the graph: which anchor launched each work, what each wait waited for, and
// which work on another stream a work had to wait for.
#pragma once

#include "graph/graph.h"
#include "graph/host_order.h"

namespace rooflab::graph {

// Works to their anchors; work without a launch record gets an anchor of its own.
void place_works(const HostOrder& host, Graph& graph);
// Of copies that block their caller and of synchronising calls.
void find_waits(Graph& graph);
// Across streams: where a stream was told to wait, and where work started only when work on another
// stream had ended. Needs measured latencies.
void find_dependencies(const HostOrder& host, Graph& graph);

}  // namespace rooflab::graph
