// SPDX-License-Identifier: Apache-2.0
// Matrix products and convolutions that run on the vector units although the device has matrix
// units that are much faster. Judged by the kernel's name (data/markers/kernels.json) and the
// device's peaks; double precision is left alone, and so are products that memory bandwidth limits.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;
constexpr double kLeastSpeedup = 2.0;

double peak(const hw::DeviceEntry& device, const char* precision) {
  const auto it = device.peak_flops.find(precision);
  return it == device.peak_flops.end() ? 0 : it->second.value;
}

// How much faster the matrix units are than single-precision vector units, in the best format of 16
// bits or more.
double matrix_speedup(const hw::DeviceEntry& device) {
  const double vector = std::max(peak(device, "fp32_vector"), peak(device, "fp32"));
  const double matrix =
      std::max({peak(device, "tf32"), peak(device, "fp16"), peak(device, "bf16")});
  return vector > 0 ? matrix / vector : 0;
}

bool runs_on_vector_units(const analysis::KernelRow& row) {
  const bool product = row.kernel_class == analysis::KernelClass::kGemm ||
                       row.kernel_class == analysis::KernelClass::kConv;
  const bool may_be_double = row.precision == "fp64" || row.precision == "fp64_vector";
  return product && !row.tensor_path && !may_be_double && row.limit != analysis::Roof::kMemory;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithKnownDevice& /*has*/) {
  if (a.hardware == nullptr) return NotEvaluated{"a device whose peaks are known"};
  const double speedup = matrix_speedup(*a.hardware);
  if (speedup < kLeastSpeedup) return Clear{};
  Nanos time;
  std::int64_t launches = 0;
  const analysis::KernelRow* worst = nullptr;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    if (!runs_on_vector_units(row)) continue;
    time += row.sum;
    launches += row.count;
    if (worst == nullptr || row.sum > worst->sum) worst = &row;
  }
  const Ratio share = ratio_of(time, analysis::window_total(a.accounting));
  if (worst == nullptr || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "tensor_cores_idle";
  f.layer = Layer::kKernel;
  f.ratio = share;
  for (const analysis::KernelClass c :
       {analysis::KernelClass::kGemm, analysis::KernelClass::kConv}) {
    f.owners.push_back("compute." + std::string(analysis::to_string(c)));
  }
  // Without shapes the time on the matrix units cannot be told.
  if (!a.faults.vector_products.empty()) f.remedy = {{"tensor-cores", {}}};
  f.where = std::string(a.profile->text(worst->name));
  f.title = "matrix products run on the vector units";
  f.evidence.push_back(
      {fmt::format(
           "{} launches of products or convolutions without matrix units take {} ({} of the "
           "window)",
           human_count(launches), human_time(time), human_percent(share)),
       "vector_path_ns", static_cast<double>(time.value)});
  f.evidence.push_back({fmt::format("largest: {}, {} in {} launches", f.where,
                                    human_time(worst->sum), human_count(worst->count)),
                        "largest_ns", static_cast<double>(worst->sum.value)});
  f.evidence.push_back(
      {fmt::format("{}: matrix units reach up to {:.0f}x its single-precision vector peak",
                   a.hardware->title, speedup),
       "matrix_over_vector", speedup});
  f.chain = {"the operands' type or sizes rule the matrix units out",
             "the library falls back to a vector kernel",
             "the product takes a multiple of the time the device could do it in"};
  f.falsifier =
      "allow the reduced precision in a test: if the kernel's name and time do not change, "
      "something else "
      "keeps the library on this kernel";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_tensor_cores_idle() {
  return make_rule(
      {.id = "tensor_cores_idle",
       .layer = Layer::kKernel,
       .title = "Matrix products on the vector units",
       .why = "Matrix units multiply 16-bit (and on newer devices shortened 32-bit) operands many "
              "times faster than "
              "the vector units. Full single precision, or sizes that do not fit, keep the work "
              "off them.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these kernels fill"},
                      {"least_speedup", kLeastSpeedup,
                       "matrix peak over vector peak; below it there is nothing to gain"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
