// SPDX-License-Identifier: Apache-2.0
// Collectives of several re-timed ranks end together: the last rank's start plus the transfer.
//
// Needed where host time was deflated: a wait in the record lasts until the other rank came under
// the recorder, which is later than it would have come without.
#pragma once

#include <vector>

#include "graph/scenario.h"

namespace rooflab::graph {

// One scenario a graph, in order of the job's ranks; edits the work times of matched collectives.
// A wait is never made longer than recorded.
void couple_ranks(const std::vector<const Graph*>& graphs, std::vector<Scenario>& scenarios);

}  // namespace rooflab::graph
