// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/owner_totals.h"
#include "compare/per_unit.h"

namespace rooflab::compare {
namespace {

using graph::Outlook;
using graph::Predictor;

// A device this busy after deflation is not waiting for its host.
constexpr double kBusy = 0.9;

const analysis::Analysis& analysis_of(const Predictor& p) { return *p.graph().analysis; }

// The recorded units, each shortened as the simulated step is.
std::vector<double> scaled(const std::vector<double>& units, double factor) {
  std::vector<double> out = units;
  for (double& u : out) u *= factor;
  return out;
}

// Deflated over recorded step: likely, and its range over the recorder's cost.
struct Deflated {
  double low = 1, likely = 1, high = 1;
};
Deflated deflated(const Predictor& p) {
  const double recorded = graph::recorded_step_ns(p.graph());
  if (!(recorded > 0)) return {};
  const auto share = [&](Outlook o) { return p.step_ns(o) / recorded; };
  const double a = share(Outlook::kLeast), b = share(Outlook::kMost);
  return {std::min(a, b), share(Outlook::kLikely), std::max(a, b)};
}

Figure figure(Basis basis, Change change, double least) {
  return {basis, change, direction_of(change, least)};
}

// The noise of the units, widened by what is not known of the recorder's cost. One recorder on one
// kind of machine: its cost is high in both runs or low in both.
Figure deflated_figure(const PerUnit& a, const PerUnit& b, const Predictor& before,
                       const Predictor& after, double block, double least) {
  const Deflated da = deflated(before), db = deflated(after);
  Change c = change_of(scaled(a.step_ns, da.likely), scaled(b.step_ns, db.likely), block);
  const double likely = db.likely / da.likely;
  const double ends[] = {db.low / da.low, db.high / da.high};
  const double least_ratio = std::min({likely, ends[0], ends[1]}) / likely;
  const double most_ratio = std::max({likely, ends[0], ends[1]}) / likely;
  c.low *= least_ratio;
  c.high *= most_ratio;
  return figure(Basis::kDeflated, c, least);
}

// Whether the recorder's range alone decides if the device waits.
bool recorder_limits(const Predictor& p, const PerUnit& units) {
  if (!p.deflation() || units.busy_ns.empty()) return false;
  double busy = 0;
  for (const double b : units.busy_ns) busy += b;
  busy /= static_cast<double>(units.busy_ns.size());
  const double step = graph::recorded_step_ns(p.graph());
  const auto share = [&](double of) { return of > 0 ? busy / of : 0; };
  return share(step) < kBusy && share(p.step_ns(Outlook::kLeast)) >= kBusy;
}

bool claims(Direction d) { return d == Direction::kLess || d == Direction::kMore; }

std::vector<Part> kernel_parts(const analysis::Analysis& a, const analysis::Analysis& b) {
  std::map<std::pair<std::string, std::string>, Part> all;
  const auto at = [&](const KernelUse& use) -> Part& {
    Part& part = all[{use.name, use.shape}];
    part.name = use.name;
    part.shape = use.shape;
    return part;
  };
  for (const KernelUse& use : kernel_uses(a)) {
    at(use).count_before = use.count;
    at(use).ns_before = use.ns;
  }
  for (const KernelUse& use : kernel_uses(b)) {
    at(use).count_after = use.count;
    at(use).ns_after = use.ns;
  }
  std::vector<Part> out;
  for (auto& [key, part] : all) out.push_back(std::move(part));
  return out;
}

std::vector<Part> owner_parts(const analysis::Analysis& a, const analysis::Analysis& b) {
  std::map<std::string, Part> all;
  for (const OwnerUse& use : owner_uses(a)) all[use.owner].ns_before = use.ns;
  for (const OwnerUse& use : owner_uses(b)) all[use.owner].ns_after = use.ns;
  std::vector<Part> out;
  for (auto& [owner, part] : all) {
    part.name = owner;
    out.push_back(std::move(part));
  }
  return out;
}

void by_change(std::vector<Part>& parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::abs(a.delta_ns()) > std::abs(b.delta_ns());
  });
}

}  // namespace

std::string_view to_string(Basis basis) {
  switch (basis) {
    case Basis::kRecorded:
      return "as recorded";
    case Basis::kDeflated:
      return "without recorder";
    case Basis::kBusy:
      break;
  }
  return "device busy";
}

const Figure& Comparison::answer() const {
  if (basis == Basis::kBusy) return busy;
  return basis == Basis::kRecorded ? recorded : deflated;
}

bool Comparison::neutral_step() const {
  return claims(busy.direction) && answer().direction == Direction::kSame;
}

Comparison compare(const Predictor& before, const Predictor& after, double least_effect) {
  Comparison c;
  c.least_effect = least_effect;
  const analysis::Analysis& a = analysis_of(before);
  const analysis::Analysis& b = analysis_of(after);
  c.doubts = doubts(a, b);
  c.refused =
      std::any_of(c.doubts.begin(), c.doubts.end(), [](const Doubt& d) { return d.refuses; });
  const PerUnit ua = per_unit(a), ub = per_unit(b);
  const double block = std::max(ua.block, ub.block);
  c.recorded = figure(Basis::kRecorded, change_of(ua.step_ns, ub.step_ns, block), least_effect);
  c.busy = figure(Basis::kBusy, change_of(ua.busy_ns, ub.busy_ns, block), least_effect);
  const bool suitable = before.suitable() && after.suitable();
  c.deflated = suitable ? deflated_figure(ua, ub, before, after, block, least_effect) : c.recorded;
  c.deflated.basis = Basis::kDeflated;
  c.recorder_limited = recorder_limits(before, ua) || recorder_limits(after, ub);
  c.basis = c.recorder_limited ? Basis::kBusy : suitable ? Basis::kDeflated : Basis::kRecorded;
  const Direction d[] = {c.recorded.direction, c.deflated.direction, c.busy.direction};
  c.disagree = d[0] != d[1] || d[1] != d[2];
  c.kernels = kernel_parts(a, b);
  c.owners = owner_parts(a, b);
  by_change(c.kernels);
  by_change(c.owners);
  return c;
}

}  // namespace rooflab::compare
