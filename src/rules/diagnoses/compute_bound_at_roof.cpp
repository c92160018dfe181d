// SPDX-License-Identifier: Apache-2.0
// A position, not a fault: kernels near the device's compute roof hold most of the time. Only less
// work makes them faster, so there is no remedy to simulate.
#include <optional>

#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.5;
constexpr double kLeastRoofRatio = 0.6;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/, const WithShapes& /*has*/,
              const WithKnownDevice& /*has*/) {
  std::optional<Finding> position =
      position_at_roof(a, analysis::Roof::kCompute, kLeastRoofRatio, kLeastShare, "compute peak");
  if (!position) return Clear{};

  Finding& f = *position;
  f.id = f.rule = "compute_bound_at_roof";
  f.title = "most time goes to kernels near the compute peak";
  f.chain = {"products keep the matrix units busy",
             "the rate is what libraries reach on this device"};
  f.falsifier =
      "run the largest alone at a lower power limit: if its time stays, something else than the "
      "units limits it";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_compute_bound_at_roof() {
  return make_rule({.id = "compute_bound_at_roof",
                    .layer = Layer::kKernel,
                    .title = "Kernels at the compute peak",
                    .why = "A product that keeps the matrix units busy at the rate libraries reach "
                           "cannot run much faster on this device in this precision.",
                    .thresholds = {{"least_share_ratio", kLeastShare,
                                    "share of the window that these kernels fill: most of it"},
                                   {"least_roof_ratio", kLeastRoofRatio,
                                    "library products reach 0.65 to 0.9 of the peak"}},
                    .tested_on_real_input = true},
                   &check);
}

}  // namespace rooflab::rules
