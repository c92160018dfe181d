// SPDX-License-Identifier: Apache-2.0
// One profile's rows added to another: how the parts of one recording, or several layers of one
// run, become one Profile.
//
// Rows go through model::Builder, so they are sorted, linked and counted again as if one file had
// held them: a launch found in one part is linked to work found in another (by process and
// correlation), devices with one index and threads with one pid and tid are one row, and what the
// second part knows of them completes the first. The caller answers for that: profiles of runs that
// merely use the same numbers must not be appended. Launches of counters lose the work they were
// matched with. Times are not aligned here: `time_shift` is added to each of `from`'s.
//
//   model::Builder builder("run");
//   append_profile(builder, kernels);
//   append_profile(builder, calls, calls.provenance.epoch_ns - kernels.provenance.epoch_ns);
//   model::Profile joined = std::move(builder).build();
#pragma once

#include <cstdint>

#include "model/builder.h"

namespace rooflab::join {

void append_profile(model::Builder& to, const model::Profile& from, std::int64_t time_shift = 0);

}  // namespace rooflab::join
