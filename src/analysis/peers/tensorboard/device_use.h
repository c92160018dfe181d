// SPDX-License-Identifier: Apache-2.0
// The PyTorch profiler plugin's three figures of a device over all steps: GPU utilisation,
// estimated SM efficiency (blocks per SM, at most 1, weighted by time) and estimated achieved
// occupancy.
#pragma once

#include <optional>
#include <vector>

#include "analysis/intervals.h"
#include "model/profile.h"

namespace rooflab::analysis::tensorboard {

struct DeviceUse {
  model::DeviceId device;
  Ratio utilisation;
  std::optional<Ratio> sm_efficiency, occupancy;  // absent where the file has no estimates
};

// For each device with kernels, over `window`; utilisation counts kernels only, no copies.
[[nodiscard]] std::vector<DeviceUse> device_use(const model::Profile& profile,
                                                const Interval& window);

}  // namespace rooflab::analysis::tensorboard
