// SPDX-License-Identifier: Apache-2.0
// What the finders of kernel faults must know about an operator call, from its recorded arguments:
// the sizes of a product and whether they are aligned, the operands of a streaming operator.
// Worked out once for each distinct (operator, arguments).
//
//   aten::mm [[4096,4095],[4095,4093]] half -> product, m 4096, n 4093, k 4095, misaligned
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/work_model.h"
#include "model/profile.h"

namespace rooflab::analysis {

enum class OpKind : std::uint8_t {
  kOther,  // not modelled, or of no interest here
  kProduct,
  kConvolution,
  kPointwise,
  kCopy,
  kReduction,
  kSoftmax,
  kSoftmaxBackward,
  kBatchNorm,
};

struct Operand {
  double elements = 0;
  double bytes = 0;  // distinct places, as the work model counts
  int element_bytes = 0;
};

struct OpFacts {
  OpKind kind = OpKind::kOther;
  OpWork work;
  Precision precision = Precision::kUnknown;  // of the first operand
  // kProduct: sizes; kConvolution: k and n are the channels in and out.
  double m = 0, n = 0, k = 0, batch = 1;
  int element_bytes = 0;        // of the first operand
  bool weight_operand = false;  // the right operand has no batch: it is the same for every item
  double right_bytes = 0;
  bool misaligned = false;
  std::string sizes;   // "K 4095, N 4093": those that are not aligned
  int alignment = 0;   // what they should be multiples of
  double padding = 1;  // FLOPs with padded sizes over FLOPs now
  // Streaming kinds.
  std::vector<Operand> reads;
  Operand result;
  bool trailing = false;       // kReduction over the last axes only
  bool type_change = false;    // kCopy
  bool layout_change = false;  // kCopy between different strides
};

class OpFactsTable {
 public:
  // `ops`: the operator of each work row. Arguments must outlive the construction only.
  OpFactsTable(const model::Profile& profile, const std::vector<model::SpanId>& ops);
  // Of kernels and of copies within a device. nullptr: no operator, no arguments, or none that is
  // modelled.
  [[nodiscard]] const OpFacts* of(std::size_t work_row) const {
    const std::uint32_t index = work_row < of_work_.size() ? of_work_[work_row] : kNone;
    return index == kNone ? nullptr : &facts_[index];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::vector<OpFacts> facts_;
  std::vector<std::uint32_t> of_work_;
};

[[nodiscard]] OpFacts op_facts(std::string_view op_name, const OpArguments& arguments);

}  // namespace rooflab::analysis
