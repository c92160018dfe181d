// SPDX-License-Identifier: Apache-2.0
#include "rules/rule.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/check.h"
#include "base/parallel.h"

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

namespace {

Findings judge(const analysis::Analysis& analysis) {
  Findings out;
  for (const Rule& rule : all_rules()) {
    Outcome outcome = rule.run(analysis);
    if (auto* missing = std::get_if<NotEvaluated>(&outcome)) {
      out.not_evaluated.push_back({rule.info.id, std::move(missing->needs)});
    } else if (auto* fired = std::get_if<std::vector<Finding>>(&outcome)) {
      std::move(fired->begin(), fired->end(), std::back_inserter(out.fired));
    }
  }
  return out;
}

void predict_and_sort(const graph::Predictor* predictor, Findings& out) {
  const bool can_predict = predictor != nullptr && predictor->suitable();
  parallel_for(out.fired.size(), [&](std::size_t i) {
    Finding& f = out.fired[i];
    if (!can_predict || f.remedy.empty()) return;
    std::vector<graph::Applied> applied;
    const auto gain = predictor->gain(f.remedy, &applied);
    CHECK(gain.has_value(), "rules propose changes that exist, with arguments that fit");
    const bool changed = std::any_of(applied.begin(), applied.end(),
                                     [](const graph::Applied& a) { return a.count > 0; });
    if (changed) f.gain = stated(*gain);
  });
  std::sort(out.fired.begin(), out.fired.end(), [](const Finding& a, const Finding& b) {
    if (order_class(a) != order_class(b)) return order_class(a) < order_class(b);
    if (order_class(a) == 0 && worth(a) != worth(b)) return worth(a) > worth(b);
    return a.ratio.value != b.ratio.value ? a.ratio.value > b.ratio.value : a.id < b.id;
  });
}

struct Merged {
  Finding finding;
  std::int64_t rank = 0;
  std::size_t ranks = 0;
};

void merge(Finding&& f, std::int64_t rank, std::vector<Merged>& all) {
  for (Merged& m : all) {
    if (m.finding.id != f.id) continue;
    ++m.ranks;
    if (f.ratio.value > m.finding.ratio.value) {
      m.finding = std::move(f);
      m.rank = rank;
    }
    return;
  }
  all.push_back({std::move(f), rank, 1});
}

}  // namespace

Findings evaluate(const analysis::Analysis& analysis, const graph::Predictor* predictor) {
  Findings out = judge(analysis);
  predict_and_sort(predictor, out);
  return out;
}

Findings evaluate_ranks(const std::vector<const analysis::Analysis*>& ranks,
                        const graph::Predictor* predictor) {
  Findings out;
  std::vector<Merged> merged;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    Findings own = judge(*ranks[i]);
    for (Finding& f : own.fired) merge(std::move(f), ranks[i]->profile->rank.rank, merged);
    if (i == 0) out.not_evaluated = std::move(own.not_evaluated);
  }
  for (Merged& m : merged) {
    if (m.ranks < ranks.size()) m.finding.title += " (rank " + std::to_string(m.rank) + ")";
    out.fired.push_back(std::move(m.finding));
  }
  predict_and_sort(predictor, out);
  return out;
}

}  // namespace rooflab::rules
