// SPDX-License-Identifier: Apache-2.0
// Two runs of one program -> what changed for each unit of work.
//
// Three answers are worked out and always given: as recorded, with the recorder's cost taken out of
// the host's time, and by device busy time, which recorders hardly touch. Where the recorder's cost
// makes the first two uncertain by more than they differ, the answer is the third's, and says so:
// it is blind to time that the device waits.
#pragma once

#include <string>
#include <vector>

#include "compare/comparable.h"
#include "compare/noise.h"
#include "graph/gain.h"

namespace rooflab::compare {

enum class Basis { kRecorded, kDeflated, kBusy };
[[nodiscard]] std::string_view to_string(Basis basis);  // "as recorded" ...

struct Figure {
  Basis basis = Basis::kRecorded;
  Change change;  // of the time of a unit, ns
  Direction direction = Direction::kUnclear;
  // before / after
  [[nodiscard]] double speed_up() const { return change.ratio > 0 ? 1 / change.ratio : 0; }
};

// What a kernel or an owner changed by, for each unit.
struct Part {
  std::string name, shape;
  double count_before = 0, count_after = 0;  // kernels
  double ns_before = 0, ns_after = 0;
  [[nodiscard]] double delta_ns() const { return ns_after - ns_before; }
};

struct Comparison {
  std::vector<Doubt> doubts;
  bool refused = false;
  Figure recorded, deflated, busy;
  bool recorder_limited = false;      // the answer is by busy time
  bool disagree = false;              // the three differ in sign or significance
  Basis basis = Basis::kDeflated;     // of the answer
  std::vector<Part> kernels, owners;  // largest change first
  double least_effect = 0.01;         // changes below are called none

  [[nodiscard]] const Figure& answer() const;
  // Kernels got faster or slower by more than the step did anything.
  [[nodiscard]] bool neutral_step() const;
};

// The predictors are of the two analyses, deflated. They must outlive the call only.
[[nodiscard]] Comparison compare(const graph::Predictor& before, const graph::Predictor& after,
                                 double least_effect);

}  // namespace rooflab::compare
