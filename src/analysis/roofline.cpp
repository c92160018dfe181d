// SPDX-License-Identifier: Apache-2.0
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

double peak_of(const hw::DeviceEntry& device, const std::string& key) {
  const auto found = device.peak_flops.find(key);
  return found == device.peak_flops.end() ? 0.0 : found->second.value;
}

// The operand type: the operator's, except that single-precision operands may be fed to the units
// as another type, and that integers and packed types are known to the kernel alone.
Precision operand_precision(const LaunchWork& work) {
  const bool name_decides =
      work.precision == Precision::kFp32 || work.precision == Precision::kUnknown;
  if (name_decides && work.math.known && work.math.precision != Precision::kUnknown)
    return work.math.precision;
  return work.precision;
}

double vector_peak(const hw::DeviceEntry& device, const std::string& precision) {
  const double own = peak_of(device, precision + "_vector");
  return own > 0 || precision == "fp64" ? own : peak_of(device, "fp32_vector");
}

}  // namespace

ComputeRoof compute_roof(const hw::DeviceEntry& device, const LaunchWork& work) {
  const std::string precision(to_string(work.matrix ? operand_precision(work) : work.precision));
  if (precision.empty()) return {};
  const bool vector_units = !work.matrix || (work.math.known && !work.math.tensor_path);
  const double matrix_peak = vector_units ? 0.0 : peak_of(device, precision);
  return {matrix_peak > 0 ? matrix_peak : vector_peak(device, precision), precision};
}

RoofTime roof_time(const hw::DeviceEntry& device, const ComputeRoof& roof, const LaunchWork& work) {
  constexpr double kNanosPerSecond = 1e9;
  RoofTime time;
  if (roof.flops_per_second > 0)
    time.compute_ns = work.flops / roof.flops_per_second * kNanosPerSecond;
  if (device.memory_bandwidth.value > 0)
    time.memory_ns = work.bytes / device.memory_bandwidth.value * kNanosPerSecond;
  return time;
}

}  // namespace rooflab::analysis
