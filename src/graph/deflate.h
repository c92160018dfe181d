// SPDX-License-Identifier: Apache-2.0
// Takes the recorder's own cost out of host time: k times the file's median launch call for every
// host record, and the recorder's work that the file shows. Device time is left as it is.
#pragma once

#include <optional>
#include <string>

#include "graph/scenario.h"

namespace rooflab::graph {

struct Deflation {
  std::string mode;  // "host_device_shapes"
  double low = 0, likely = 0, high = 0;
  std::string source;
};

// Of the profile's recorder and mode; absent where it was not calibrated.
[[nodiscard]] std::optional<Deflation> deflation_of(const model::Profile& profile);
// k = 0 leaves the scenario as it is.
void deflate(const Graph& graph, double k, Scenario& scenario);

}  // namespace rooflab::graph
