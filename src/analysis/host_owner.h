// SPDX-License-Identifier: Apache-2.0
// What the host is doing in every span, as one class each: the first of the precedence list of
// DESIGN section 3 that the span or any span around it matches. `idle.starved.*` owners are these
// classes.
//
// Ranges that mark units of work say nothing about the cause and are looked through.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/markers.h"
#include "analysis/selection.h"
#include "analysis/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

// In order of precedence: the lowest wins.
enum class HostClass : std::uint8_t {
  kInput,
  kCompile,
  kAlloc,
  kSync,
  kCopyCall,
  kOffCpu,     // the scheduler had taken the thread off its core, or it sat in a call that waits
  kFramework,  // inside an operator
  kRange,
  kHostCode,  // inside a recorded code frame or a call of no special kind
  kUnknown,
};
[[nodiscard]] std::string_view to_string(HostClass c);  // "input", "copy_call"

struct HostOwners {
  std::vector<HostClass> best;       // by span row
  std::vector<model::SpanId> cause;  // the span that gave it; invalid for kUnknown
};

[[nodiscard]] HostOwners host_owners(const model::Profile& profile, const HostTree& tree,
                                     MarkedNames& names, const Units& units,
                                     const Selection& selection);

// The name a marker or range owner is shown by: "train.py(12): load_batch" is "load_batch".
[[nodiscard]] std::string owner_label(std::string_view span_name, model::SpanKind kind);

// `name` with every run of digits replaced by '#': "iteration 12" and "iteration 13" are one range.
[[nodiscard]] std::string without_numbers(std::string_view name);

}  // namespace rooflab::analysis
