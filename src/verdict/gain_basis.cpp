// SPDX-License-Identifier: Apache-2.0
#include "verdict/gain_basis.h"

#include "graph/critical_path.h"

namespace rooflab::verdict {

GainBasis gain_basis(const graph::Predictor& predictor) {
  GainBasis out;
  out.recorded_step_ns = graph::recorded_step_ns(predictor.graph());
  out.error_ratio = predictor.reproduction_error();
  out.suitable = predictor.suitable();
  out.host_recorded_ratio =
      graph::recorded_host_ratio(graph::recorded_critical_path(predictor.graph()));
  out.deflation = predictor.deflation();
  return out;
}

}  // namespace rooflab::verdict
