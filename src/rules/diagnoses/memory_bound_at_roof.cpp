// SPDX-License-Identifier: Apache-2.0
// A position, not a fault: kernels near the device's memory roof hold most of the time. Only less
// work makes them faster, so there is no remedy to simulate.
#include <optional>

#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.5;
constexpr double kLeastRoofRatio = 0.7;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/, const WithShapes& /*has*/,
              const WithKnownDevice& /*has*/) {
  std::optional<Finding> position = position_at_roof(a, analysis::Roof::kMemory, kLeastRoofRatio,
                                                     kLeastShare, "memory bandwidth");
  if (!position) return Clear{};

  Finding& f = *position;
  f.id = f.rule = "memory_bound_at_roof";
  f.title = "most time goes to kernels at the memory bandwidth";
  f.chain = {"each operand passes through memory once",
             "memory moves bytes at nearly its full rate"};
  f.falsifier =
      "halve the bytes of the largest (a narrower type): if its time does not halve, bandwidth is "
      "not what limits it";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_memory_bound_at_roof() {
  return make_rule(
      {.id = "memory_bound_at_roof",
       .layer = Layer::kKernel,
       .title = "Kernels at the memory bandwidth",
       .why = "A kernel that moves its operands at nearly the full memory bandwidth cannot run "
              "faster; it can only be given fewer bytes to move.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these kernels fill: most of it"},
                      {"least_roof_ratio", kLeastRoofRatio,
                       "correct streaming kernels reach 0.8 to 0.93 of the bandwidth"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
