// SPDX-License-Identifier: Apache-2.0
#include "rules/rule.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/check.h"

namespace rooflab::rules {

namespace {

// Below this a change gains nothing that the simulation could tell from its own error.
constexpr double kNothing = 1.02;
// As-recorded gains are told where they differ by more than this (DESIGN section 4).
constexpr double kDiffers = 0.10;

// What a finding is worth for the order on the screen. A bound is no prediction: half of it counts.
double worth(const Finding& f) {
  if (!f.gain) return 1;
  if (f.gain->bound) return 1 + (f.gain->high - 1) / 2;
  return f.gain->likely.value_or(1);
}

// 0: gains; 1: no change to simulate; 2: its change gains nothing.
int order_class(const Finding& f) {
  if (!f.gain) return 1;
  return worth(f) >= kNothing ? 0 : 2;
}

}  // namespace

Gain stated(const graph::Gain& g) {
  Gain out;
  out.high = g.high;
  out.bound = g.bound;
  if (!g.bound) {
    out.low = g.low;
    out.likely = g.likely;
    if (std::abs(g.as_recorded / g.likely - 1) > kDiffers) out.as_recorded = g.as_recorded;
  }
  return out;
}

Findings evaluate(const analysis::Analysis& analysis, const graph::Predictor* predictor) {
  Findings out;
  for (const Rule& rule : all_rules()) {
    Outcome outcome = rule.run(analysis);
    if (auto* missing = std::get_if<NotEvaluated>(&outcome)) {
      out.not_evaluated.push_back({rule.info.id, std::move(missing->needs)});
    } else if (auto* fired = std::get_if<std::vector<Finding>>(&outcome)) {
      std::move(fired->begin(), fired->end(), std::back_inserter(out.fired));
    }
  }
  const bool can_predict = predictor != nullptr && predictor->suitable();
  for (Finding& f : out.fired) {
    if (!can_predict || f.remedy.empty()) continue;
    std::vector<graph::Applied> applied;
    const auto gain = predictor->gain(f.remedy, &applied);
    CHECK(gain.has_value(), "rules propose changes that exist, with arguments that fit");
    const bool changed = std::any_of(applied.begin(), applied.end(),
                                     [](const graph::Applied& a) { return a.count > 0; });
    if (changed) f.gain = stated(*gain);
  }
  std::sort(out.fired.begin(), out.fired.end(), [](const Finding& a, const Finding& b) {
    if (order_class(a) != order_class(b)) return order_class(a) < order_class(b);
    if (order_class(a) == 0 && worth(a) != worth(b)) return worth(a) > worth(b);
    return a.ratio.value != b.ratio.value ? a.ratio.value > b.ratio.value : a.id < b.id;
  });
  return out;
}

}  // namespace rooflab::rules
