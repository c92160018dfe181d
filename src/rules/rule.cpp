// SPDX-License-Identifier: Apache-2.0
#include "rules/rule.h"

#include <algorithm>
#include <iterator>

namespace rooflab::rules {

Findings evaluate(const analysis::Analysis& analysis) {
  Findings out;
  for (const Rule& rule : all_rules()) {
    Outcome outcome = rule.run(analysis);
    if (auto* missing = std::get_if<NotEvaluated>(&outcome)) {
      out.not_evaluated.push_back({rule.info.id, std::move(missing->needs)});
    } else if (auto* fired = std::get_if<std::vector<Finding>>(&outcome)) {
      std::move(fired->begin(), fired->end(), std::back_inserter(out.fired));
    }
  }
  std::sort(out.fired.begin(), out.fired.end(), [](const Finding& a, const Finding& b) {
    return a.ratio.value != b.ratio.value ? a.ratio.value > b.ratio.value : a.id < b.id;
  });
  return out;
}

}  // namespace rooflab::rules
