// SPDX-License-Identifier: Apache-2.0
// The least time a device allows for a piece of work: the longer of operations over peak rate and
// bytes over memory bandwidth. The peak is that of the units and operand type that the kernel's
// name shows; where the name is silent, the matrix units for a matrix product (single precision
// only where the device has such instructions), else the vector units.
#pragma once

#include <string>

#include "analysis/launch_work.h"
#include "hw/device_catalog.h"

namespace rooflab::analysis {

struct ComputeRoof {
  double flops_per_second = 0;  // 0 = the device's entry has no peak for it
  std::string precision;        // "bf16", "tf32", "fp32"
};
[[nodiscard]] ComputeRoof compute_roof(const hw::DeviceEntry& device, const LaunchWork& work);

struct RoofTime {
  double compute_ns = 0, memory_ns = 0;
  [[nodiscard]] double binding_ns() const {
    return compute_ns > memory_ns ? compute_ns : memory_ns;
  }
};
[[nodiscard]] RoofTime roof_time(const hw::DeviceEntry& device, const ComputeRoof& roof,
                                 const LaunchWork& work);

}  // namespace rooflab::analysis
