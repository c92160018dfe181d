// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace rooflab::analysis {
namespace {

constexpr double kNanosPerSecond = 1e9;

// Result tiles of library kernels for 16-bit operands: 128 x 256 is the usual one of the fastest,
// 128 x 128 the usual smaller one. The inner axis is split over blocks where there are too few
// tiles, down to about this many multiply-adds a block and output (names and splits recorded on
// H200 and H100).
constexpr double kTileRows = 128;
constexpr double kWideTileColumns = 256;
constexpr double kTileColumns = 128;
constexpr double kLeastInner = 1024;

double tiles_of(const ProductSize& size, double columns) {
  return std::ceil(size.m / kTileRows) * std::ceil(size.n / columns) * size.batch;
}

}  // namespace

TimeRange operator+(const TimeRange& a, const TimeRange& b) {
  return {a.longest + b.longest, a.likely + b.likely, a.shortest + b.shortest};
}

TimeRange scaled(const TimeRange& time, double factor) {
  return {time.longest * factor, time.likely * factor, time.shortest * factor};
}

TimeRange longer(const TimeRange& a, const TimeRange& b) {
  return {std::max(a.longest, b.longest), std::max(a.likely, b.likely),
          std::max(a.shortest, b.shortest)};
}

TimeRange at_most(const TimeRange& time, double ns) {
  return {std::min(time.longest, ns), std::min(time.likely, ns), std::min(time.shortest, ns)};
}

TimeRange floor_time(const hw::Ceiling& ceiling) {
  return {ceiling.low, ceiling.likely, ceiling.high};
}

double fill_ratio(double blocks, double places) {
  if (!(blocks > 0) || !(places > 0)) return 1;
  return blocks / (std::ceil(blocks / places) * places);
}

TimeRange stream_time(const hw::DeviceEntry& device, const hw::Ceiling& ceiling, double bytes) {
  const double rate = device.memory_bandwidth.value / kNanosPerSecond;
  if (!(rate > 0)) return {};
  return {bytes / (rate * ceiling.low), bytes / (rate * ceiling.likely),
          bytes / (rate * ceiling.high)};
}

TimeRange product_time(const hw::DeviceEntry& device, const KernelCeilings& ceilings,
                       const hw::Ceiling& share, double flops_per_second, double flops,
                       double bytes, const ProductSize& size, int multiprocessors) {
  TimeRange compute;
  if (flops_per_second > 0) {
    const double peak = flops_per_second / kNanosPerSecond;
    double worst_fill = 1;
    double likely_fill = 1;
    if (size.m > 0 && multiprocessors > 0) {
      const double places = multiprocessors;
      worst_fill = fill_ratio(tiles_of(size, kWideTileColumns), places);
      const double tiles = tiles_of(size, kTileColumns);
      const double splits =
          std::clamp(std::floor(places / tiles), 1.0, std::max(1.0, size.k / kLeastInner));
      likely_fill = fill_ratio(tiles * splits, places);
      worst_fill = std::min(worst_fill, likely_fill);
    }
    compute = {flops / (peak * share.low * worst_fill), flops / (peak * share.likely * likely_fill),
               flops / (peak * share.high)};
  }
  return longer(compute, stream_time(device, ceilings.streaming, bytes));
}

}  // namespace rooflab::analysis
