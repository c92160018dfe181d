// SPDX-License-Identifier: Apache-2.0
// The arguments of an operator as the recorder wrote them, parsed: dims "[[8192,2048],[]]", types
// "[\"c10::BFloat16\",\"Scalar\"]", strides, concrete values. Done once for each distinct set of
// arguments.
//
// Refuses (no arguments): texts over 1 MiB, brackets that do not match, more than 4096 numbers. A
// list of tensors has shapes but no element type: recorders write "TensorList" for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_class.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct OpTensor {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;  // empty = not recorded

  [[nodiscard]] double elements() const;
  // Distinct elements in memory: a broadcast axis (stride 0) counts once, overlapping windows once.
  [[nodiscard]] double distinct_elements() const;
};

struct OpArgument {
  bool is_tensor = false;  // one tensor of a known element type
  int element_bytes = 0;   // is_tensor
  Precision precision = Precision::kUnknown;
  std::vector<OpTensor> tensors;  // one, or those of a list
  std::string concrete;           // "[1, 1]", "True", "" = none

  [[nodiscard]] const OpTensor& tensor() const { return tensors.front(); }
  [[nodiscard]] double bytes() const;  // distinct elements of a tensor, 0 for anything else
};

using OpArguments = std::vector<OpArgument>;

[[nodiscard]] OpArguments parse_op_arguments(std::string_view dims, std::string_view types,
                                             std::string_view strides, std::string_view concrete);

// "[1, 1]" -> {1, 1}; "3" -> {3}; nullopt for anything else.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parse_numbers(std::string_view concrete);

}  // namespace rooflab::analysis
