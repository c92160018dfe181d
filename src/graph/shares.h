// SPDX-License-Identifier: Apache-2.0
// Who owns the time of a re-timed run, in the owners of the accounting: what `whatif` shows before
// and after a change.
//
// Device work owns time as it does in the accounting; a gap is cut at the simulated launch call of
// the work that ends it, and what came before follows the host back along the order in which its
// calls held one another up. Hidden work (an overlapped copy) owns no time, but for what it needs
// beyond a step.
#pragma once

#include <vector>

#include "analysis/accounting.h"
#include "graph/simulate.h"

namespace rooflab::graph {

struct Shares {
  std::vector<analysis::OwnerShare> owners;  // over all devices, largest first; ties by name
  Nanos total;                               // of all devices: the owners' sum, exactly
};

[[nodiscard]] Shares shares_of(const Graph& graph, const Scenario& scenario);

}  // namespace rooflab::graph
