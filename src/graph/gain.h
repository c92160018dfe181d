// SPDX-License-Identifier: Apache-2.0
// Predicted speed-up of unprofiled wall time per unit of work, as an interval.
//
// The simulation runs under three assumptions: the least that the change brings while the recorder
// cost most (so that the host had least to gain), the likely, and the most while it cost least.
#pragma once

#include <functional>
#include <vector>

#include "graph/change.h"
#include "graph/deflate.h"
#include "graph/simulate.h"

namespace rooflab::graph {

struct Gain {
  double low = 1, likely = 1, high = 1;
  bool bound = false;         // only `high` holds: "at most"
  double as_recorded = 1;     // likely, with the recorder's cost left in
  double step_before_ns = 0;  // deflated, likely
  double step_after_ns = 0;
};

using Edit = std::function<Result<Applied>(Outlook, Scenario&)>;

struct Edited {
  Scenario scenario;
  std::vector<Applied> applied;  // one a change
};

// The un-edited simulations are run once and shared by all predictions.
class Predictor {
 public:
  // `deflated` false: recorded host time is taken as it is. The graph must outlive it.
  Predictor(const Graph& graph, bool deflated);

  [[nodiscard]] Result<Gain> gain(const std::vector<ChangeCall>& calls,
                                  std::vector<Applied>* applied = nullptr) const;
  [[nodiscard]] Result<Gain> gain_of(const Edit& edit) const;
  // The scenario that these changes leave, and what each of them did.
  [[nodiscard]] Result<Edited> edited(const std::vector<ChangeCall>& calls, Outlook outlook) const;
  // Predicts what further changes gain once these are made.
  [[nodiscard]] Result<Predictor> after(const std::vector<ChangeCall>& calls) const;
  [[nodiscard]] const std::optional<Deflation>& deflation() const { return deflation_; }
  [[nodiscard]] double step_ns(Outlook outlook) const {
    return before_[static_cast<std::size_t>(outlook)];
  }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  // A scenario with host time deflated for that outlook (and the changes of after() made).
  [[nodiscard]] Scenario base(Outlook outlook) const;
  // How far the un-edited simulation is from the recording, as a share of the recorded step.
  [[nodiscard]] double reproduction_error() const { return reproduction_error_; }
  // Beyond 2 % the file is unsuitable for gains.
  [[nodiscard]] bool suitable() const;

 private:
  void simulate_bases();
  [[nodiscard]] Scenario edited_base(Scenario recorded, Outlook outlook) const;

  const Graph& graph_;
  std::vector<ChangeCall> made_;
  std::optional<Deflation> deflation_;
  double before_[3] = {0, 0, 0};
  double recorded_ns_ = 0;
  double reproduction_error_ = 0;
};

}  // namespace rooflab::graph
