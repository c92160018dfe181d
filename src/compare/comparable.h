// SPDX-License-Identifier: Apache-2.0
// Whether two runs may be compared at all, and what must be said beside the answer.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"

namespace rooflab::compare {

struct Doubt {
  bool refuses = false;  // no speed-up may be claimed
  std::string text;      // what differs, and what to do
};
// Empty: the runs do the same work under the same conditions, as far as the files tell.
[[nodiscard]] std::vector<Doubt> doubts(const analysis::Analysis& before,
                                        const analysis::Analysis& after);

}  // namespace rooflab::compare
