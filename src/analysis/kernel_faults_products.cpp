// SPDX-License-Identifier: Apache-2.0
// Products and convolutions on a slow path: on the vector units, for operands that are not aligned,
// or by a kernel of an older device.
#include <algorithm>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

// A launch counts as slow only where a well-chosen kernel is expected to take less than this share
// of its time: ceilings are not known better than by a quarter.
constexpr double kSlow = 0.8;
// An older kernel can be the right one (small products): only half the expected rate shows a fault.
constexpr double kSlowOldPath = 0.5;

double peak_of(const hw::DeviceEntry& device, Precision precision) {
  const auto found = device.peak_flops.find(std::string(to_string(precision)));
  return found == device.peak_flops.end() ? 0.0 : found->second.value;
}

// The best matrix format for single-precision operands, the closest to them first.
double matrix_peak_for_singles(const hw::DeviceEntry& device) {
  for (const Precision precision : {Precision::kTf32, Precision::kBf16, Precision::kFp16}) {
    if (const double peak = peak_of(device, precision); peak > 0) return peak;
  }
  return 0;
}

class Products {
 public:
  Products(const FaultFinder& finder, KernelFaults& out) : f_(finder), out_(out) {}

  void look_at(std::size_t i) {
    const OpFacts* const facts = f_.facts.of(i);
    if (facts == nullptr ||
        (facts->kind != OpKind::kProduct && facts->kind != OpKind::kConvolution)) {
      return;
    }
    const KernelClass c = f_.class_of(i);
    if (c != KernelClass::kGemm && c != KernelClass::kConv && c != KernelClass::kFused) return;
    const std::optional<LaunchWork> work = f_.works.of(i);
    if (!work || !work->matrix) return;
    if (on_vector_units(i, *facts)) {
      add_vector_product(i, *facts, *work);
    } else if (facts->misaligned) {
      add_misaligned(i, *facts, *work);
    } else {
      add_old_path(i, *facts, *work);
    }
  }

 private:
  [[nodiscard]] bool on_vector_units(std::size_t i, const OpFacts& facts) const {
    const KernelMath math = f_.math_of(i);
    return math.known && !math.tensor_path && facts.precision == Precision::kFp32;
  }

  [[nodiscard]] TimeRange time(std::size_t i, const OpFacts& facts, const LaunchWork& work,
                               double peak, double padding) const {
    const bool product = facts.kind == OpKind::kProduct;
    const ProductSize size =
        product ? ProductSize{facts.m, facts.n, facts.k, facts.batch} : ProductSize{};
    const TimeRange needed = product_time(
        *f_.device(i), f_.ceilings, product ? f_.ceilings.matrix_product : f_.ceilings.convolution,
        peak, work.flops * padding, work.bytes * padding, size, f_.multiprocessors(i));
    return at_most(longer(needed, floor_time(f_.ceilings.product_floor)), duration(i));
  }

  [[nodiscard]] double duration(std::size_t i) const {
    return static_cast<double>(f_.p.work.duration[i]);
  }

  void add_vector_product(std::size_t i, const OpFacts& facts, const LaunchWork& work) {
    const hw::DeviceEntry* const device = f_.device(i);
    const double peak = device == nullptr ? 0 : matrix_peak_for_singles(*device);
    if (peak <= 0) return;
    const TimeRange then = time(i, facts, work, peak, 1);
    if (then.likely > kSlow * duration(i)) return;
    out_.vector_products.push_back({model::WorkId(i), then, true, true, f_.path_of(i).generation});
  }

  void add_misaligned(std::size_t i, const OpFacts& facts, LaunchWork work) {
    const KernelPath& path = f_.path_of(i);
    SlowWork slow{model::WorkId(i), {}, false, path.unaligned, path.generation};
    if (const hw::DeviceEntry* const device = f_.device(i)) {
      if (work.math.known && !work.math.tensor_path) work.math = {};  // as the matrix units would
      const double peak = compute_roof(*device, work).flops_per_second;
      if (peak <= 0) return;
      slow.then = time(i, facts, work, peak, facts.padding);
      slow.has_time = true;
      if (slow.then.likely > kSlow * duration(i)) return;
    } else if (!path.unaligned) {
      return;
    }
    out_.misaligned.push_back(slow);
  }

  void add_old_path(std::size_t i, const OpFacts& facts, const LaunchWork& work) {
    const int written_for = f_.path_of(i).generation;
    const int runs_on = f_.generation(i);
    const hw::DeviceEntry* const device = f_.device(i);
    const bool older = written_for > 0 && written_for / 10 < runs_on / 10;
    if (!older || device == nullptr || facts.kind != OpKind::kProduct) return;
    const double peak = compute_roof(*device, work).flops_per_second;
    if (peak <= 0) return;
    const TimeRange then = time(i, facts, work, peak, 1);
    if (then.likely > kSlowOldPath * duration(i)) return;
    out_.old_path.push_back({model::WorkId(i), then, true, true, written_for});
  }

  const FaultFinder& f_;
  KernelFaults& out_;
};

}  // namespace

void find_slow_products(const FaultFinder& finder, KernelFaults& out) {
  Products products(finder, out);
  for (std::size_t i = 0; i < finder.p.work.size(); ++i) {
    if (finder.is_kernel(i)) products.look_at(i);
  }
}

}  // namespace rooflab::analysis
