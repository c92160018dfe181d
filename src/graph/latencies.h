// SPDX-License-Identifier: Apache-2.0
// The six latencies of a file, measured where nothing but them decided when work started.
#pragma once

#include "graph/graph.h"

namespace rooflab::graph {

// Needs placed works and waits. A latency that the file shows nowhere keeps the value measured on
// an H200 (tests/data).
void measure_latencies(Graph& graph);
// Of the cross-stream gap, once dependencies are known.
[[nodiscard]] bool is_copy_like(const model::Profile& profile, model::WorkId work);

}  // namespace rooflab::graph
