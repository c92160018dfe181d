// SPDX-License-Identifier: Apache-2.0
#include "graph/gain.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace rooflab::graph {
namespace {

// A file whose own step is not reproduced this closely cannot carry predictions (DESIGN section 4).
constexpr double kWorstReproduction = 0.02;
// However well its ceilings are known, a change does more than the simulation knows of: the gained
// part (gain - 1) that was measured lies within this factor of the prediction for all nine fitted
// pairs, taking the nearer end of each measured range (docs/ACCURACY.md).
constexpr double kModelError = 1.25;
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

Result<const Change*> known(const ChangeCall& call) {
  if (const Change* change = find_change(call.name)) return change;
  return fail(ErrorCode::kUsage, "there is no change " + call.name, "--change",
              "`rooflab whatif --help` lists them");
}

double ratio(double before, double after) { return after > 0 ? before / after : 1; }

}  // namespace

Predictor::Predictor(const Graph& graph, bool deflated) : graph_(graph) {
  if (deflated) deflation_ = deflation_of(*graph.analysis->profile);
  recorded_ns_ = recorded_step_ns(graph);
  const double simulated = simulate(graph, as_recorded(graph)).step_ns;
  reproduction_error_ = recorded_ns_ > 0 ? std::abs(simulated / recorded_ns_ - 1) : 1;
  simulate_bases();
}

void Predictor::simulate_bases() {
  for (const Outlook o : kOutlooks) {
    before_[static_cast<std::size_t>(o)] = simulate(graph_, base(o)).step_ns;
  }
}

bool Predictor::suitable() const { return reproduction_error_ <= kWorstReproduction; }

Scenario Predictor::base(Outlook outlook) const {
  Scenario s = as_recorded(graph_);
  deflate(graph_, k_of(deflation_, outlook), s);
  return edited_base(std::move(s), outlook);
}

Scenario Predictor::edited_base(Scenario s, Outlook outlook) const {
  for (const ChangeCall& call : made_) {
    const auto applied = find_change(call.name)->apply(graph_, call.arguments, outlook, s);
    CHECK(applied.has_value(), "after() has tried these changes");
  }
  return s;
}

Result<Edited> Predictor::edited(const std::vector<ChangeCall>& calls, Outlook outlook) const {
  Edited out{base(outlook), {}};
  for (const ChangeCall& call : calls) {
    RL_TRY(const Change* change, known(call));
    RL_TRY(Applied one, change->apply(graph_, call.arguments, outlook, out.scenario));
    out.applied.push_back(std::move(one));
  }
  return out;
}

Result<Predictor> Predictor::after(const std::vector<ChangeCall>& calls) const {
  for (const Outlook o : kOutlooks) RL_CHECK_OK(edited(calls, o));
  Predictor next = *this;
  next.made_.insert(next.made_.end(), calls.begin(), calls.end());
  next.simulate_bases();
  return next;
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
  if (g.likely > 1) {
    g.low = std::min(g.low, 1 + (g.likely - 1) / kModelError);
    g.high = std::max(g.high, 1 + (g.likely - 1) * kModelError);
  }
  g.as_recorded = g.likely;
  if (deflation_) {
    Scenario s = edited_base(as_recorded(graph_), Outlook::kLikely);
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
    RL_TRY(const Change* change, known(call));
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
