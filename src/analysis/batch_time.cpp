// SPDX-License-Identifier: Apache-2.0
#include "analysis/batch_time.h"

#include <algorithm>
#include <cmath>

#include "analysis/kernel_fault_finder.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

std::vector<const hw::DeviceEntry*> known_devices(const Analysis& a) {
  std::vector<const hw::DeviceEntry*> devices(a.profile->devices.size(), nullptr);
  if (!a.kernels.device.valid() || a.kernels.device.row >= devices.size()) return devices;
  const StringId name = a.profile->devices[a.kernels.device.row].name;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (a.profile->devices[i].name == name) devices[i] = a.hardware;
  }
  return devices;
}

class Batch {
 public:
  Batch(const Analysis& analysis, double items)
      : f_(analysis, known_devices(analysis)), items_(items) {}

  [[nodiscard]] TimeRange time(std::size_t i) const {
    const auto now = static_cast<double>(f_.p.work.duration[i]);
    const TimeRange factor = factor_of(i);
    const auto held = [&](double value) { return now * std::clamp(value, 1.0, items_); };
    return {held(factor.longest), held(factor.likely), held(factor.shortest)};
  }

 private:
  [[nodiscard]] TimeRange every(double factor) const { return {factor, factor, factor}; }

  [[nodiscard]] TimeRange factor_of(std::size_t i) const {
    if (f_.optimizer(i).valid()) return every(1);
    if (!f_.is_kernel(i)) return copy_factor(i);
    const OpFacts* const facts = f_.facts.of(i);
    const hw::DeviceEntry* const device = f_.device(i);
    const std::optional<LaunchWork> work = f_.works.of(i);
    if (facts == nullptr || device == nullptr || !work) return by_rounds(i);
    const bool product = facts->kind == OpKind::kProduct || facts->kind == OpKind::kConvolution;
    return product ? product_factor(i, *facts, *device, *work) : stream_factor(*device, *work);
  }

  static TimeRange ratio(const TimeRange& many, const TimeRange& one) {
    const auto over = [](double a, double b) { return b > 0 ? a / b : 1.0; };
    return {over(many.longest, one.longest), over(many.likely, one.likely),
            over(many.shortest, one.shortest)};
  }

  // Collectives move gradients, which have the parameters' size; without a backward pass they move
  // activations. Copies and sets: all N times, of which the fixed cost is paid once at best.
  [[nodiscard]] TimeRange copy_factor(std::size_t i) const {
    const bool comm = f_.p.work.kind[i] == model::WorkKind::kKernel;
    if (comm && f_.trains()) return every(1);
    const std::int64_t bytes = f_.p.work.bytes[i];
    const auto now = static_cast<double>(f_.p.work.duration[i]);
    const hw::DeviceEntry* const device = f_.device(i);
    if (comm || bytes < 0 || now <= 0 || device == nullptr || device->host_link.value <= 0)
      return every(items_);
    const double moving = static_cast<double>(bytes) / (device->host_link.value / 1e9);
    const double once = 1 + (items_ - 1) * std::min(1.0, moving / now);
    return {items_, (items_ + once) / 2, once};
  }

  [[nodiscard]] TimeRange product_factor(std::size_t i, const OpFacts& facts,
                                         const hw::DeviceEntry& device,
                                         const LaunchWork& work) const {
    const double share = facts.work.bytes > 0 ? work.bytes / facts.work.bytes : 1.0;
    const double weights = facts.weight_operand ? facts.right_bytes * share : 0;
    const double peak = compute_roof(device, work).flops_per_second;
    const bool product = facts.kind == OpKind::kProduct;
    const auto at = [&](double items) {
      ProductSize size;
      if (product) {
        size = {facts.m, facts.n, facts.k, facts.batch};
        (facts.weight_operand ? size.m : size.batch) *= items;
      }
      const TimeRange needed = product_time(
          device, f_.ceilings, product ? f_.ceilings.matrix_product : f_.ceilings.convolution, peak,
          work.flops * items, weights + (work.bytes - weights) * items, size,
          f_.multiprocessors(i));
      return longer(needed, floor_time(f_.ceilings.product_floor));
    };
    return ratio(at(items_), at(1));
  }

  [[nodiscard]] TimeRange stream_factor(const hw::DeviceEntry& device,
                                        const LaunchWork& work) const {
    const auto at = [&](double items) {
      return longer(stream_time(device, f_.ceilings.streaming, work.bytes * items),
                    floor_time(f_.ceilings.streaming_floor));
    };
    return ratio(at(items_), at(1));
  }

  [[nodiscard]] TimeRange by_rounds(std::size_t i) const {
    const double blocks = f_.blocks(i);
    const int multiprocessors = f_.multiprocessors(i);
    if (blocks <= 0 || multiprocessors <= 0) return every(items_);
    const auto rounds = [&](double items, double each) {
      return std::ceil(blocks * items / (multiprocessors * each));
    };
    const double fit = f_.places_per_multiprocessor(i);
    const double one_each = rounds(items_, 1) / rounds(1, 1);
    const double as_fit = rounds(items_, fit) / rounds(1, fit);
    return {std::max(one_each, as_fit), as_fit, std::min(one_each, as_fit)};
  }

  FaultFinder f_;
  double items_;
};

}  // namespace

std::vector<TimeRange> batched_times(const Analysis& analysis, double items) {
  std::vector<TimeRange> times;
  if (analysis.profile == nullptr) return times;
  times.reserve(analysis.profile->work.size());
  const Batch batch(analysis, items);
  for (std::size_t i = 0; i < analysis.profile->work.size(); ++i) times.push_back(batch.time(i));
  return times;
}

}  // namespace rooflab::analysis
