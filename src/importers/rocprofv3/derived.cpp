// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/derived.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooflab::importers::rocprofv3 {
namespace {

// The counters that formulas use; a place in this list is a place in Inputs.
constexpr std::array<std::string_view, 11> kCounters{
    "TCC_EA_RDREQ_sum",      "TCC_EA_RDREQ_32B_sum",  "TCC_EA_WRREQ_sum", "TCC_EA_WRREQ_64B_sum",
    "TCC_EA0_RDREQ_sum",     "TCC_EA0_RDREQ_32B_sum", "TCC_BUBBLE_sum",   "TCC_EA0_WRREQ_sum",
    "TCC_EA0_WRREQ_64B_sum", "TCC_HIT_sum",           "TCC_MISS_sum",
};

// A request is 64 bytes, 32 where it is counted as such, and 128 where it is a bubble (gfx942).
constexpr double kRequest = 64, kSmallRequest = 32, kLargeRequest = 128;
// One count of the matrix unit's operations stands for 512 of them.
constexpr double kMatrixOperations = 512;
constexpr double kLanes = 64;

// By name, so that a formula reads as its source does.
class Values {
 public:
  explicit Values(const double* inputs) : inputs_(inputs) {}
  double operator()(std::string_view counter) const {
    const auto it = std::find(kCounters.begin(), kCounters.end(), counter);
    return it == kCounters.end() ? std::numeric_limits<double>::quiet_NaN()
                                 : inputs_[it - kCounters.begin()];
  }

 private:
  const double* inputs_;
};

double first_known(double a, double b) { return std::isnan(a) ? b : a; }

double read_bytes(const Values& v) {
  const double small = v("TCC_EA0_RDREQ_32B_sum"), large = v("TCC_BUBBLE_sum");
  const double gfx942 = kLargeRequest * large +
                        kRequest * (v("TCC_EA0_RDREQ_sum") - large - small) + kSmallRequest * small;
  const double small_90a = v("TCC_EA_RDREQ_32B_sum");
  const double gfx90a = kRequest * (v("TCC_EA_RDREQ_sum") - small_90a) + kSmallRequest * small_90a;
  return first_known(gfx942, gfx90a);
}

double write_bytes(const Values& v) {
  const auto bytes = [](double all, double whole) {
    return kRequest * whole + kSmallRequest * (all - whole);
  };
  return first_known(bytes(v("TCC_EA0_WRREQ_sum"), v("TCC_EA0_WRREQ_64B_sum")),
                     bytes(v("TCC_EA_WRREQ_sum"), v("TCC_EA_WRREQ_64B_sum")));
}

struct Figure {
  const char* name;
  double (*value)(const Values&);
};

// Ratios of nothing are no numbers, and no rows.
constexpr std::array kFigures{
    Figure{"dram_read_bytes", read_bytes},
    Figure{"dram_write_bytes", write_bytes},
    Figure{"l2_hit_percent",
           [](const Values& v) {
             return 100 * v("TCC_HIT_sum") / (v("TCC_HIT_sum") + v("TCC_MISS_sum"));
           }},
};

// Figures that are one counter times something.
struct Scaled {
  std::string_view counter;
  const char* name;
  double factor;
};
constexpr std::array kScaled{
    Scaled{"SQ_INSTS_VALU_MFMA_MOPS_F16", "tensor_fp16_flop", kMatrixOperations},
    Scaled{"SQ_INSTS_VALU_MFMA_MOPS_BF16", "tensor_bf16_flop", kMatrixOperations},
    Scaled{"SQ_INSTS_VALU_MFMA_MOPS_F64", "tensor_fp64_flop", kMatrixOperations},
    Scaled{"SQ_INSTS_VALU_MFMA_MOPS_I8", "tensor_int8_flop", kMatrixOperations},
    Scaled{"SQ_INSTS_VALU_ADD_F16", "fp16_add", kLanes},
    Scaled{"SQ_INSTS_VALU_MUL_F16", "fp16_mul", kLanes},
    Scaled{"SQ_INSTS_VALU_FMA_F16", "fp16_fma", kLanes},
    Scaled{"SQ_INSTS_VALU_ADD_F32", "fp32_add", kLanes},
    Scaled{"SQ_INSTS_VALU_MUL_F32", "fp32_mul", kLanes},
    Scaled{"SQ_INSTS_VALU_FMA_F32", "fp32_fma", kLanes},
    Scaled{"SQ_INSTS_VALU_ADD_F64", "fp64_add", kLanes},
    Scaled{"SQ_INSTS_VALU_MUL_F64", "fp64_mul", kLanes},
    Scaled{"SQ_INSTS_VALU_FMA_F64", "fp64_fma", kLanes},
    Scaled{"SQ_LDS_BANK_CONFLICT", "shared_bank_conflicts", 1},
    Scaled{"SQ_LDS_IDX_ACTIVE", "shared_wavefronts", 1},
};

}  // namespace

void Derived::take(model::MeasuredId launch, std::string_view counter, double value) {
  static_assert(kCounters.size() <= kInputs);
  for (const Scaled& scaled : kScaled) {
    if (scaled.counter == counter) builder_.add_metric(launch, scaled.name, scaled.factor * value);
  }
  const auto it = std::find(kCounters.begin(), kCounters.end(), counter);
  if (it == kCounters.end()) return;
  const auto [row, added] = launches_.try_emplace(launch.row);
  if (added) row->second.fill(std::numeric_limits<double>::quiet_NaN());
  row->second[static_cast<std::size_t>(it - kCounters.begin())] = value;
}

void Derived::finish() {
  for (const auto& [launch, inputs] : launches_) {
    const Values values(inputs.data());
    for (const Figure& figure : kFigures) {
      const double value = figure.value(values);
      if (std::isfinite(value) && value >= 0)
        builder_.add_metric(model::MeasuredId(launch), figure.name, value);
    }
  }
}

}  // namespace rooflab::importers::rocprofv3
