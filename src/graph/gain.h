// SPDX-License-Identifier: Apache-2.0
// Predicted speed-up of unprofiled wall time per unit of work, as an interval.
//
// The simulation runs under three assumptions: the least that the change brings while the recorder
// cost most (so that the host had least to gain), the likely, and the most while it cost least.
#pragma once

#include <functional>
#include <optional>
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
// For the ranks of a job: asked once for each rank's graph.
using RankEdit = std::function<Result<Applied>(const Graph&, Outlook, Scenario&)>;

struct Edited {
  Scenario scenario;             // of the first (or only) rank
  std::vector<Applied> applied;  // one a change
};

// The un-edited simulations are run once and shared by all predictions. Of several ranks the
// slowest one's step counts.
class Predictor {
 public:
  // `deflated` false: recorded host time is taken as it is. The graph must outlive it.
  Predictor(const Graph& graph, bool deflated);
  // The ranks of one job, in its order.
  Predictor(std::vector<const Graph*> ranks, bool deflated);

  [[nodiscard]] Result<Gain> gain(const std::vector<ChangeCall>& calls,
                                  std::vector<Applied>* applied = nullptr) const;
  // Edits the first (or only) rank.
  [[nodiscard]] Result<Gain> gain_of(const Edit& edit) const;
  [[nodiscard]] Result<Gain> gain_of(const RankEdit& edit) const;
  // The scenario that these changes leave, and what each of them did.
  [[nodiscard]] Result<Edited> edited(const std::vector<ChangeCall>& calls, Outlook outlook) const;
  // Predicts what further changes gain once these are made.
  [[nodiscard]] Result<Predictor> after(const std::vector<ChangeCall>& calls) const;
  [[nodiscard]] const std::optional<Deflation>& deflation() const { return deflation_; }
  [[nodiscard]] double step_ns(Outlook outlook) const {
    return before_[static_cast<std::size_t>(outlook)].slowest;
  }
  [[nodiscard]] const Graph& graph() const { return *graphs_[0]; }
  [[nodiscard]] const std::vector<const Graph*>& graphs() const { return graphs_; }
  // A scenario of the first (or only) rank with host time deflated for that outlook (and the
  // changes of after() made).
  [[nodiscard]] Scenario base(Outlook outlook) const { return base(outlook, 0); }
  [[nodiscard]] Scenario base(Outlook outlook, std::size_t rank) const;
  // How far the un-edited simulation is from the recording, as a share of the recorded step.
  [[nodiscard]] double reproduction_error() const { return reproduction_error_; }
  // Beyond 2 % the file is unsuitable for gains.
  [[nodiscard]] bool suitable() const;

 private:
  using StepEdit = std::function<Result<Applied>(std::size_t rank, Scenario&)>;
  using Base = std::function<Scenario(std::size_t rank)>;
  // The steps of each rank, and the slowest of them.
  struct Steps {
    std::vector<double> ranks;
    double slowest = 0;
  };
  [[nodiscard]] Steps steps_of(const Base& base) const;
  [[nodiscard]] Result<double> step_after(const Base& base, const Steps& before,
                                          const StepEdit& edit, Applied& all) const;
  // Host time as it was recorded.
  [[nodiscard]] Scenario recorded(std::size_t rank) const;
  [[nodiscard]] Scenario with_changes_made(Scenario s, std::size_t rank, Outlook outlook) const;
  void couple();
  void simulate_bases();

  std::vector<const Graph*> graphs_;
  std::vector<ChangeCall> made_;
  std::optional<Deflation> deflation_;
  // By outlook and rank: the work times of scenarios whose ranks wait for each other; else empty.
  std::vector<std::vector<std::int64_t>> coupled_[3];
  Steps before_[3];  // by outlook
  Steps recorded_before_;
  double reproduction_error_ = 0;
};

}  // namespace rooflab::graph
