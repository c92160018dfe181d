// SPDX-License-Identifier: Apache-2.0
// The verdict on a file that holds counters of kernels and no device work: what most of the
// measured kernel time is bound by, and whether any kernel has a fault worth mending.
#pragma once

#include "verdict/verdict.h"

namespace rooflab::verdict {

// Sets limit, runner-up, margin, summary, improvable_because, or why nothing can be said.
void choose_by_counters(const analysis::Analysis& analysis, const rules::Findings& findings,
                        Verdict& verdict);

}  // namespace rooflab::verdict
