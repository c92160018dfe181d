// SPDX-License-Identifier: Apache-2.0
// A position, not a fault: kernels near the device's compute roof hold most of the time. Only less
// work makes them faster, so there is no remedy to simulate.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.5;
constexpr double kLeastRoofRatio = 0.6;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/, const WithShapes& /*has*/,
              const WithKnownDevice& /*has*/) {
  const AtRoof sum = at_roof(a, analysis::Roof::kCompute, kLeastRoofRatio);
  const Ratio share = share_of_window(a, sum.time);
  if (sum.largest == nullptr || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "compute_bound_at_roof";
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute"};
  f.where = std::string(a.profile->text(sum.largest->name));
  f.title = "most time goes to kernels near the compute peak";
  f.evidence.push_back(
      {fmt::format("{} launches take {} ({} of the window) and reach {} of the compute peak of {}",
                   human_count(sum.launches), human_time(sum.time), human_percent(share),
                   human_percent(ratio_of(sum.roof_time, sum.time)), a.kernels.device_name),
       "at_roof_ns", static_cast<double>(sum.time.value)});
  f.evidence.push_back({fmt::format("largest: {}, {} in {} launches", f.where,
                                    human_time(sum.largest->sum), human_count(sum.largest->count)),
                        "largest_ns", static_cast<double>(sum.largest->sum.value)});
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
