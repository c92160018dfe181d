// SPDX-License-Identifier: Apache-2.0
#include "graph/gain.h"

#include <algorithm>
#include <cmath>

namespace rooflab::graph {
namespace {

// A file whose own step is not reproduced this closely cannot carry predictions (DESIGN section 4).
constexpr double kWorstReproduction = 0.02;
constexpr Outlook kOutlooks[] = {Outlook::kLeast, Outlook::kLikely, Outlook::kMost};

double k_of(const std::optional<Deflation>& d, Outlook outlook) {
  if (!d) return 0;
  switch (outlook) {
    case Outlook::kLeast:
      return d->high;
    case Outlook::kLikely:
      return d->likely;
    case Outlook::kMost:
      break;
  }
  return d->low;
}

double ratio(double before, double after) { return after > 0 ? before / after : 1; }

}  // namespace

Predictor::Predictor(const Graph& graph, bool deflated) : graph_(graph) {
  if (deflated) deflation_ = deflation_of(*graph.analysis->profile);
  recorded_ns_ = recorded_step_ns(graph);
  const double simulated = simulate(graph, as_recorded(graph)).step_ns;
  reproduction_error_ = recorded_ns_ > 0 ? std::abs(simulated / recorded_ns_ - 1) : 1;
  for (const Outlook o : kOutlooks) {
    before_[static_cast<std::size_t>(o)] = simulate(graph, base(o)).step_ns;
  }
}

bool Predictor::suitable() const { return reproduction_error_ <= kWorstReproduction; }

Scenario Predictor::base(Outlook outlook) const {
  Scenario s = as_recorded(graph_);
  deflate(graph_, k_of(deflation_, outlook), s);
  return s;
}

Result<Gain> Predictor::gain_of(const Edit& edit) const {
  Gain g;
  double gains[3] = {1, 1, 1};
  for (const Outlook o : kOutlooks) {
    Scenario s = base(o);
    RL_TRY(const Applied applied, edit(o, s));
    if (applied.count == 0)
      return Gain{.step_before_ns = step_ns(Outlook::kLikely),
                  .step_after_ns = step_ns(Outlook::kLikely)};
    g.bound = g.bound || applied.bound;
    const double after = simulate(graph_, s).step_ns;
    gains[static_cast<std::size_t>(o)] = ratio(step_ns(o), after);
    if (o == Outlook::kLikely) g.step_after_ns = after;
  }
  g.step_before_ns = step_ns(Outlook::kLikely);
  g.likely = gains[1];
  g.low = std::min({gains[0], gains[1], gains[2]});
  g.high = std::max({gains[0], gains[1], gains[2]});
  g.as_recorded = g.likely;
  if (deflation_) {
    Scenario s = as_recorded(graph_);
    const double before = simulate(graph_, s).step_ns;
    RL_TRY(const Applied applied, edit(Outlook::kLikely, s));
    (void)applied;
    g.as_recorded = ratio(before, simulate(graph_, s).step_ns);
  }
  return g;
}

Result<Gain> Predictor::gain(const std::vector<ChangeCall>& calls,
                             std::vector<Applied>* applied) const {
  std::vector<const Change*> changes;
  for (const ChangeCall& call : calls) {
    const Change* change = find_change(call.name);
    if (change == nullptr) {
      return fail(ErrorCode::kUsage, "there is no change " + call.name, "--change",
                  "`rooflab whatif --help` lists them");
    }
    changes.push_back(change);
  }
  return gain_of([&](Outlook outlook, Scenario& s) -> Result<Applied> {
    Applied all;
    if (applied != nullptr) applied->clear();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      RL_TRY(Applied one, changes[i]->apply(graph_, calls[i].arguments, outlook, s));
      all.count += one.count;
      all.bound = all.bound || one.bound;
      if (applied != nullptr) applied->push_back(std::move(one));
    }
    return all;
  });
}

}  // namespace rooflab::graph
