// SPDX-License-Identifier: Apache-2.0
// One run's figures for each unit of work of its window: what two runs are compared by.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"

namespace rooflab::compare {

struct PerUnit {
  std::vector<double> step_ns;  // device step
  std::vector<double> busy_ns;  // of it, device work; mean over devices
  double block = 1;             // units in a burst
};
// Empty where the window has no units.
[[nodiscard]] PerUnit per_unit(const analysis::Analysis& analysis);

// Kernels of one name and launch shape, for each unit.
struct KernelUse {
  std::string name;   // template arguments folded
  std::string shape;  // grid x block; empty: not recorded
  double count = 0, ns = 0;
};
// Over the kernels that start in the window; per unit, or over the window where it has none.
[[nodiscard]] std::vector<KernelUse> kernel_uses(const analysis::Analysis& analysis);

struct OwnerUse {
  std::string owner;
  double ns = 0;
};
[[nodiscard]] std::vector<OwnerUse> owner_uses(const analysis::Analysis& analysis);

}  // namespace rooflab::compare
