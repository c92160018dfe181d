// SPDX-License-Identifier: Apache-2.0
#include "graph/gain.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/check.h"
#include "base/parallel.h"
#include "graph/couple_ranks.h"

namespace rooflab::graph {
namespace {

// A file whose own step is not reproduced this closely cannot carry predictions (DESIGN section 4).
constexpr double kWorstReproduction = 0.02;
// However well its ceilings are known, a change does more than the simulation knows of: the gained
// part (gain - 1) that was measured lay within this factor of the first prediction for 27 of the 34
// pairs whose truth was known when it was set, to the nearer end of each measured range
// (docs/ACCURACY.md: an interval is meant to hold four truths of five).
constexpr double kModelError = 1.4;
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

Predictor::Predictor(const Graph& graph, bool deflated)
    : Predictor(std::vector<const Graph*>{&graph}, deflated) {}

Predictor::Predictor(std::vector<const Graph*> ranks, bool deflated) : graphs_(std::move(ranks)) {
  if (deflated) deflation_ = deflation_of(*graph().analysis->profile);
  recorded_before_ = steps_of([&](std::size_t rank) { return recorded(rank); });
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    const double step = recorded_step_ns(*graphs_[i]);
    const double error = step > 0 ? std::abs(recorded_before_.ranks[i] / step - 1) : 1;
    reproduction_error_ = std::max(reproduction_error_, error);
  }
  if (graphs_.size() > 1 && deflation_) couple();
  simulate_bases();
}

Predictor::Steps Predictor::steps_of(const Base& base) const {
  Steps steps;
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    steps.ranks.push_back(simulate(*graphs_[i], base(i)).step_ns);
    steps.slowest = std::max(steps.slowest, steps.ranks.back());
  }
  return steps;
}

void Predictor::simulate_bases() {
  if (!deflation_ && made_.empty()) {  // nothing tells the outlooks apart
    std::fill(std::begin(before_), std::end(before_), recorded_before_);
    return;
  }
  parallel_for(std::size(kOutlooks), [&](std::size_t i) {
    before_[i] = steps_of([&](std::size_t rank) { return base(kOutlooks[i], rank); });
  });
}

// Deflated hosts arrive earlier at collectives than recorded, and so the others wait less.
void Predictor::couple() {
  for (const Outlook o : kOutlooks) {
    std::vector<Scenario> scenarios;
    for (std::size_t i = 0; i < graphs_.size(); ++i) scenarios.push_back(base(o, i));
    couple_ranks(graphs_, scenarios);
    for (Scenario& s : scenarios) {
      coupled_[static_cast<std::size_t>(o)].push_back(std::move(s.work_ns));
    }
  }
}

bool Predictor::suitable() const { return reproduction_error_ <= kWorstReproduction; }

Scenario Predictor::base(Outlook outlook, std::size_t rank) const {
  Scenario s = as_recorded(*graphs_[rank]);
  deflate(*graphs_[rank], k_of(deflation_, outlook), s);
  const auto& coupled = coupled_[static_cast<std::size_t>(outlook)];
  if (rank < coupled.size()) s.work_ns = coupled[rank];
  return with_changes_made(std::move(s), rank, outlook);
}

Scenario Predictor::with_changes_made(Scenario s, std::size_t rank, Outlook outlook) const {
  for (const ChangeCall& call : made_) {
    const auto applied = find_change(call.name)->apply(*graphs_[rank], call.arguments, outlook, s);
    CHECK(applied.has_value(), "after() has tried these changes");
  }
  return s;
}

Result<Edited> Predictor::edited(const std::vector<ChangeCall>& calls, Outlook outlook) const {
  Edited out{base(outlook), {}};
  for (const ChangeCall& call : calls) {
    RL_TRY(const Change* change, known(call));
    RL_TRY(Applied one, change->apply(graph(), call.arguments, outlook, out.scenario));
    out.applied.push_back(std::move(one));
  }
  return out;
}

Result<Predictor> Predictor::after(const std::vector<ChangeCall>& calls) const {
  for (const Outlook o : kOutlooks) RL_CHECK_OK(edited(calls, o));
  Predictor next = *this;
  next.made_.insert(next.made_.end(), calls.begin(), calls.end());
  next.recorded_before_ = next.steps_of([&](std::size_t rank) { return next.recorded(rank); });
  next.simulate_bases();
  return next;
}

Scenario Predictor::recorded(std::size_t rank) const {
  return with_changes_made(as_recorded(*graphs_[rank]), rank, Outlook::kLikely);
}

// The slowest rank's step; `all` sums up what was changed.
Result<double> Predictor::step_after(const Base& base, const Steps& before, const StepEdit& edit,
                                     Applied& all) const {
  double slowest = 0;
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    Scenario s = base(i);
    RL_TRY(const Applied applied, edit(i, s));
    all.count += applied.count;
    all.bound = all.bound || applied.bound;
    const double step = applied.count == 0 ? before.ranks[i] : simulate(*graphs_[i], s).step_ns;
    slowest = std::max(slowest, step);
  }
  return slowest;
}

Result<Gain> Predictor::gain_of(const Edit& edit) const {
  const Graph* first = graphs_[0];
  return gain_of(RankEdit([&](const Graph& g, Outlook outlook, Scenario& s) -> Result<Applied> {
    if (&g != first) return Applied{};
    return edit(outlook, s);
  }));
}

Result<Gain> Predictor::gain_of(const RankEdit& edit) const {
  Gain g;
  double gains[3] = {1, 1, 1};
  g.step_before_ns = g.step_after_ns = step_ns(Outlook::kLikely);
  for (const Outlook o : kOutlooks) {
    Applied all;
    const StepEdit on_rank = [&](std::size_t i, Scenario& s) { return edit(*graphs_[i], o, s); };
    const Base from = [&](std::size_t i) { return base(o, i); };
    const Steps& before = before_[static_cast<std::size_t>(o)];
    RL_TRY(const double after, step_after(from, before, on_rank, all));
    if (all.count == 0) return g;
    g.bound = g.bound || all.bound;
    gains[static_cast<std::size_t>(o)] = ratio(step_ns(o), after);
    if (o == Outlook::kLikely) g.step_after_ns = after;
  }
  g.likely = gains[1];
  g.low = std::min({gains[0], gains[1], gains[2]});
  g.high = std::max({gains[0], gains[1], gains[2]});
  if (g.likely > 1 && !g.bound) {
    g.low = std::min(g.low, 1 + (g.likely - 1) / kModelError);
    g.high = std::max(g.high, 1 + (g.likely - 1) * kModelError);
  }
  g.as_recorded = g.likely;
  if (deflation_) {
    const StepEdit likely = [&](std::size_t i, Scenario& s) {
      return edit(*graphs_[i], Outlook::kLikely, s);
    };
    Applied ignored;
    const Base from = [&](std::size_t i) { return recorded(i); };
    RL_TRY(const double after, step_after(from, recorded_before_, likely, ignored));
    g.as_recorded = ratio(recorded_before_.slowest, after);
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
  return gain_of(RankEdit([&](const Graph& g, Outlook outlook, Scenario& s) -> Result<Applied> {
    Applied all;
    if (applied != nullptr) applied->clear();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      RL_TRY(Applied one, changes[i]->apply(g, calls[i].arguments, outlook, s));
      all.count += one.count;
      all.bound = all.bound || one.bound;
      if (applied != nullptr) applied->push_back(std::move(one));
    }
    return all;
  }));
}

}  // namespace rooflab::graph
