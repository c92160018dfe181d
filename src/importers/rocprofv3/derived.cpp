// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/derived.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rooflab::importers::rocprofv3 {
namespace {

// The counters that formulas use; a place in this list is a place in Inputs.
constexpr std::array<std::string_view, 31> kCounters{
    "TCC_EA_RDREQ_sum",
    "TCC_EA_RDREQ_32B_sum",
    "TCC_EA_WRREQ_sum",
    "TCC_EA_WRREQ_64B_sum",
    "TCC_EA0_RDREQ_sum",
    "TCC_EA0_RDREQ_32B_sum",
    "TCC_BUBBLE_sum",
    "TCC_EA0_WRREQ_sum",
    "TCC_EA0_WRREQ_64B_sum",
    "TCC_HIT_sum",
    "TCC_MISS_sum",
    "SQ_LDS_BANK_CONFLICT",
    "SQ_LDS_IDX_ACTIVE",
    "SQ_INSTS_VALU_ADD_F16",
    "SQ_INSTS_VALU_MUL_F16",
    "SQ_INSTS_VALU_TRANS_F16",
    "SQ_INSTS_VALU_FMA_F16",
    "SQ_INSTS_VALU_ADD_F32",
    "SQ_INSTS_VALU_MUL_F32",
    "SQ_INSTS_VALU_TRANS_F32",
    "SQ_INSTS_VALU_FMA_F32",
    "SQ_INSTS_VALU_ADD_F64",
    "SQ_INSTS_VALU_MUL_F64",
    "SQ_INSTS_VALU_TRANS_F64",
    "SQ_INSTS_VALU_FMA_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_F16",
    "SQ_INSTS_VALU_MFMA_MOPS_BF16",
    "SQ_INSTS_VALU_MFMA_MOPS_F32",
    "SQ_INSTS_VALU_MFMA_MOPS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_I8",
    "SQ_WAVES",
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

double vector_operations(const Values& v, const std::string& type) {
  const auto count = [&](const char* what) {
    return v("SQ_INSTS_VALU_" + std::string(what) + "_" + type);
  };
  return kLanes * (count("ADD") + count("MUL") + count("TRANS") + 2 * count("FMA"));
}

struct Figure {
  const char* name;
  double (*value)(const Values&);
};

// Names end in their unit. Ratios of nothing are no numbers, and no rows.
const std::vector<Figure>& figures() {
  static const std::vector<Figure> all{
      {"dram_read_bytes", read_bytes},
      {"dram_write_bytes", write_bytes},
      {"l2_hit_ratio",
       [](const Values& v) { return v("TCC_HIT_sum") / (v("TCC_HIT_sum") + v("TCC_MISS_sum")); }},
      {"shared_bank_conflict_ratio",
       [](const Values& v) {
         return v("SQ_LDS_BANK_CONFLICT") / (v("SQ_LDS_IDX_ACTIVE") - v("SQ_LDS_BANK_CONFLICT"));
       }},
      {"fp16_flops", [](const Values& v) { return vector_operations(v, "F16"); }},
      {"fp32_flops", [](const Values& v) { return vector_operations(v, "F32"); }},
      {"fp64_flops", [](const Values& v) { return vector_operations(v, "F64"); }},
      {"tensor_fp16_flops",
       [](const Values& v) { return kMatrixOperations * v("SQ_INSTS_VALU_MFMA_MOPS_F16"); }},
      {"tensor_bf16_flops",
       [](const Values& v) { return kMatrixOperations * v("SQ_INSTS_VALU_MFMA_MOPS_BF16"); }},
      {"tensor_fp32_flops",
       [](const Values& v) { return kMatrixOperations * v("SQ_INSTS_VALU_MFMA_MOPS_F32"); }},
      {"tensor_fp64_flops",
       [](const Values& v) { return kMatrixOperations * v("SQ_INSTS_VALU_MFMA_MOPS_F64"); }},
      {"tensor_int8_ops",
       [](const Values& v) { return kMatrixOperations * v("SQ_INSTS_VALU_MFMA_MOPS_I8"); }},
      {"warps", [](const Values& v) { return v("SQ_WAVES"); }},
  };
  return all;
}

}  // namespace

void Derived::take(model::MeasuredId launch, std::string_view counter, double value) {
  static_assert(kCounters.size() <= kInputs);
  const auto it = std::find(kCounters.begin(), kCounters.end(), counter);
  if (it == kCounters.end()) return;
  const auto [row, added] = launches_.try_emplace(launch.row);
  if (added) row->second.fill(std::numeric_limits<double>::quiet_NaN());
  row->second[static_cast<std::size_t>(it - kCounters.begin())] = value;
}

void Derived::finish(model::Builder& builder) const {
  for (const auto& [launch, inputs] : launches_) {
    const Values values(inputs.data());
    for (const Figure& figure : figures()) {
      const double value = figure.value(values);
      if (std::isfinite(value) && value >= 0)
        builder.add_metric(model::MeasuredId(launch), figure.name, value);
    }
  }
}

}  // namespace rooflab::importers::rocprofv3
