// SPDX-License-Identifier: Apache-2.0
// The time that well-chosen kernels would take for a piece of work on a known device, as a range:
// peaks of data/devices times the ceilings of data/ceilings. `longest` goes with the least that a
// change may bring, `shortest` with the most.
//
// A product's rate also falls when its tiles do not fill the multiprocessors: the last round of
// blocks is part empty (wave quantisation).
#pragma once

#include "hw/ceilings.h"
#include "hw/device_catalog.h"

namespace rooflab::analysis {

struct TimeRange {
  double longest = 0, likely = 0, shortest = 0;  // ns
};
[[nodiscard]] TimeRange operator+(const TimeRange& a, const TimeRange& b);
[[nodiscard]] TimeRange scaled(const TimeRange& time, double factor);
[[nodiscard]] TimeRange longer(const TimeRange& a, const TimeRange& b);
// The three values of a ceiling in ns, as they are.
[[nodiscard]] TimeRange floor_time(const hw::Ceiling& ceiling);
// No more than `ns` in any case: a change is not made where it would not help.
[[nodiscard]] TimeRange at_most(const TimeRange& time, double ns);

// bytes over the ceiling's share of the bandwidth; zero where the device's bandwidth is not known.
[[nodiscard]] TimeRange stream_time(const hw::DeviceEntry& device, const hw::Ceiling& ceiling,
                                    double bytes);

// Shipped ceilings by what they are of.
struct KernelCeilings {
  const hw::Ceiling& matrix_product = hw::ceiling("matrix_product_share");
  const hw::Ceiling& convolution = hw::ceiling("convolution_share");
  const hw::Ceiling& attention_forward = hw::ceiling("attention_forward_share");
  const hw::Ceiling& attention_backward = hw::ceiling("attention_backward_share");
  const hw::Ceiling& streaming = hw::ceiling("streaming_share");
  const hw::Ceiling& row_reduction = hw::ceiling("row_reduction_share");
  const hw::Ceiling& channel_statistics = hw::ceiling("channel_statistics_share");
  const hw::Ceiling& channel_apply = hw::ceiling("channel_apply_share");
  const hw::Ceiling& optimizer = hw::ceiling("optimizer_share");
  const hw::Ceiling& product_floor = hw::ceiling("product_floor_ns");
  const hw::Ceiling& streaming_floor = hw::ceiling("streaming_floor_ns");
};

struct ProductSize {
  double m = 0, n = 0, k = 0, batch = 1;
};
// `flops_per_second`: the peak of the units that would be used. Without a size (a convolution) the
// tiles are taken to fill the device.
[[nodiscard]] TimeRange product_time(const hw::DeviceEntry& device, const KernelCeilings& ceilings,
                                     const hw::Ceiling& share, double flops_per_second,
                                     double flops, double bytes, const ProductSize& size,
                                     int multiprocessors);

// Share of the multiprocessors' time that `blocks` equal blocks keep busy, in (0, 1].
[[nodiscard]] double fill_ratio(double blocks, double places);

}  // namespace rooflab::analysis
