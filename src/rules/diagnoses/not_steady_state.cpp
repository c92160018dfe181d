// SPDX-License-Identifier: Apache-2.0
// The steps in the window are not all alike for a reason that more recording would remove: queues
// filled before it, workers starting in it, one step that holds most of the time, or steps that get
// slower or faster. Figures per step then describe the recording and not the program. No share of
// the window is claimed, and no gain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr std::size_t kLeastUnits = 9;
constexpr double kLeastDrift = 0.25;
constexpr double kMostBurst = 1.5;

struct Drift {
  double ratio = 0;  // last third over first third, minus one; 0 = not judged
  Nanos first, last;
};

// Medians of the first and the last third: an outlier in one of them is no drift.
Drift drift_of(const analysis::Analysis& a) {
  const analysis::Window& w = a.window;
  std::vector<std::int64_t> times;
  for (std::size_t i = w.first_unit; i < w.first_unit + w.unit_count && i < a.units.units.size();
       ++i) {
    const analysis::Unit& unit = a.units.units[i];
    if (unit.has_device && unit.complete) {
      times.push_back((unit.device_end - unit.device_start).value);
    }
  }
  if (times.size() < kLeastUnits || w.burst_period_units > kMostBurst) return {};
  const auto third = static_cast<std::ptrdiff_t>(times.size() / 3);
  const auto median = [](std::vector<std::int64_t> part) {
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2),
                     part.end());
    return part[part.size() / 2];
  };
  Drift out;
  out.first = Nanos(median({times.begin(), times.begin() + third}));
  out.last = Nanos(median({times.end() - third, times.end()}));
  if (out.first.value > 0) out.ratio = ratio_of(out.last, out.first).value - 1;
  return out;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  if (a.window.unit_count == 0) {
    return NotEvaluated{"repeated steps (ProfilerStep marks, or --step-range NAME)"};
  }
  const Drift drift = drift_of(a);
  const bool drifts = std::abs(drift.ratio) >= kLeastDrift;
  if (a.window.steady && !drifts) return Clear{};

  Finding f;
  f.id = f.rule = "not_steady_state";
  f.layer = Layer::kSystem;
  f.title = "the recording shows no steady state";
  f.where = a.units.marker;
  if (!a.window.steady) f.evidence.push_back({a.window.note, "", 0});
  if (drifts) {
    f.title = drift.ratio > 0 ? "steps get slower during the recording"
                              : "steps get faster during the recording";
    f.evidence.push_back(
        {fmt::format("a step takes {} in the first third of the window and {} in the last "
                     "(medians)",
                     human_time(drift.first), human_time(drift.last)),
         "drift_ratio", drift.ratio});
  }
  f.evidence.push_back(
      {"figures per step describe this recording; no speed-up may be claimed "
       "from it",
       "", 0});
  f.chain = {"what was queued or started before the window is used up in it, or the work changes",
             "later steps differ from earlier ones", "a mean over the window fits neither"};
  f.falsifier = "record ten times as many steps: if the mean stays, the state was steady";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_not_steady_state() {
  return make_rule(
      {.id = "not_steady_state",
       .layer = Layer::kSystem,
       .title = "The recording shows no steady state",
       .why = "A prefetching loader fills its queue before the window, caches and clocks warm up, "
              "sequences grow. Time per step is then not what it will be over an hour.",
       .thresholds = {{"least_drift_ratio", kLeastDrift,
                       "change of the median step from the first to the last third; steps of a "
                       "steady loop differ by less"},
                      {"least_units", static_cast<double>(kLeastUnits),
                       "steps from which a drift is judged: three a third"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
