// SPDX-License-Identifier: Apache-2.0
// What an operator must do at least, from its recorded shapes: floating-point operations and
// compulsory memory traffic (each operand read once, each result written once, at distinct
// addresses). One formula a form, in work_model*.cpp; which operator has which form stands in
// data/markers/operators.json.
//
//   aten::addmm [[2048],[8192,2048],[2048,2048],[],[]] bf16
//     -> 2*8192*2048*2048 FLOP, (2048 + 8192*2048 + 2048*2048 + 8192*2048) * 2 bytes
//
// Refuses (nullopt): operators that are not listed, shapes that do not fit the form, packed batches
// whose lengths are not recorded, lists of tensors (their element type is not recorded). Never a
// guess: what is refused is not covered.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/kernel_class.h"
#include "analysis/op_shapes.h"
#include "hw/operator_markers.h"

namespace rooflab::analysis {

struct OpWork {
  double flops = 0;
  double bytes = 0;
  Precision precision = Precision::kUnknown;  // of the operands
  bool matrix = false;  // a matrix product, convolution or attention: matrix units apply
};

[[nodiscard]] std::optional<OpWork> work_of_op(std::string_view op_name,
                                               const OpArguments& arguments);

// The forms. `arguments` may be anything a file holds.
[[nodiscard]] std::optional<OpWork> matmul_work(const hw::OperatorForm& form,
                                                const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> attention_work(const hw::OperatorForm& form,
                                                   const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> convolution_work(const hw::OperatorForm& form,
                                                     const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> convolution_backward_work(const hw::OperatorForm& form,
                                                              const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> pointwise_work(const hw::OperatorForm& form,
                                                   const OpArguments& arguments, bool in_place);
[[nodiscard]] std::optional<OpWork> stream_work(const hw::OperatorForm& form,
                                                const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> reduction_work(const hw::OperatorForm& form,
                                                   const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> gather_work(const hw::OperatorForm& form,
                                                const OpArguments& arguments);
[[nodiscard]] std::optional<OpWork> gather_each_work(const hw::OperatorForm& form,
                                                     const OpArguments& arguments);

// The argument at `position` if it is a tensor, else nullptr.
[[nodiscard]] const OpArgument* tensor_at(const OpArguments& arguments, int position);
// Concrete "True", or a number other than 0.
[[nodiscard]] bool is_set(const OpArguments& arguments, int position);

}  // namespace rooflab::analysis
