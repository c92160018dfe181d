// SPDX-License-Identifier: Apache-2.0
// What changes would bring: composed into one run, or each alone.
//
// A change that the graph does not know, or arguments that do not fit, are a usage Error. Only for
// a file that is suitable for gains.
#pragma once

#include <string>
#include <vector>

#include "graph/shares.h"
#include "verdict/limit.h"

namespace rooflab::verdict {

// What limits the step once the changes are made: the cause whose removal would then gain 1.10x, or
// whoever holds the device.
struct NextLimit {
  Limit limit = Limit::kNone;
  std::optional<rules::Gain> gain;  // absent where no cause is worth removing any more
};

struct Tried {
  std::vector<graph::ChangeCall> calls;
  std::vector<graph::Applied> applied;  // one a call, of the likely outlook
  graph::Gain gain;
  double before_low_ns = 0, before_high_ns = 0;  // step without the recorder's cost; likely: gain's
  graph::Shares before, after;                   // of the likely outlook
  NextLimit next;
};
[[nodiscard]] Result<Tried> try_changes(const graph::Predictor& predictor,
                                        const std::vector<graph::ChangeCall>& calls);

struct Offer {
  graph::ChangeCall call;
  graph::Gain gain;
  graph::Applied applied;
};
struct Offers {
  std::vector<Offer> worthwhile;     // likely (of a bound: most) gain of 1.02 and more, best first
  std::vector<std::string> nothing;  // changes that would gain less
  std::vector<std::string> need_arguments;  // "speed-up KERNEL F": cannot be tried without
};
[[nodiscard]] Offers offers(const graph::Predictor& predictor);

}  // namespace rooflab::verdict
