// SPDX-License-Identifier: Apache-2.0
// The shipped operator markers, parsed once: which form an operator has, and what an element type
// is.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/kernel_class.h"
#include "hw/operator_markers.h"

namespace rooflab::analysis {

struct ElementType {
  int bytes = 0;
  Precision precision = Precision::kUnknown;
};

[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);  // "c10::Half"
[[nodiscard]] const hw::OperatorForm* operator_form(
    std::string_view op_name);  // nullptr = not modelled

}  // namespace rooflab::analysis
