// SPDX-License-Identifier: Apache-2.0
// What the gains of a file rest on: how closely its own step is reproduced, how much of it is
// recorded host time, and what was taken out of that for the recorder.
#pragma once

#include <optional>

#include "graph/gain.h"

namespace rooflab::verdict {

struct GainBasis {
  double recorded_step_ns = 0;     // 0: no device work in the window
  double error_ratio = 1;          // of the un-edited simulation, against recorded_step_ns
  bool suitable = false;           // no gain is given otherwise
  double host_recorded_ratio = 0;  // of the critical path: host time as it was recorded
  std::optional<graph::Deflation> deflation;
};

[[nodiscard]] GainBasis gain_basis(const graph::Predictor& predictor);

}  // namespace rooflab::verdict
