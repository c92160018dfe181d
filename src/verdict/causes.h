// SPDX-License-Identifier: Apache-2.0
// What removing each cause alone would gain: DESIGN section 4, "Causes, and what simulate removes".
//
// Only causes that the graph can remove are asked; comm needs collectives, straggler the other
// ranks' files. Of several ranks every one is edited; what a rank waits for others stays, except
// where the straggler is removed.
#pragma once

#include <vector>

#include "graph/gain.h"
#include "verdict/verdict.h"

namespace rooflab::verdict {

// Largest likely gain first; causes that would gain nothing are left out. Empty for a file that is
// unsuitable for gains.
[[nodiscard]] std::vector<CauseGain> cause_gains(const graph::Predictor& predictor);

}  // namespace rooflab::verdict
