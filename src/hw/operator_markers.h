// SPDX-License-Identifier: Apache-2.0
// data/markers/operators.json as rows: which operators have which form, and where in their recorded
// arguments the operands stand; and the element types recorders name. What a form means is the work
// model's business.
//
//   {"form": "matmul", "ops": ["aten::addmm"], "left": 1, "right": 2, "added": 0, "why": "..."}
//
// Refuses: no JSON object of that shape, an operator listed twice, a number outside 0..1000.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct OperatorForm {
  std::string form;                               // "matmul"
  std::map<std::string, int> numbers;             // "left" -> 1; true is 1
  std::map<std::string, std::vector<int>> lists;  // "reads" -> {0, 1}
  [[nodiscard]] int number(const std::string& key, int otherwise = -1) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? otherwise : found->second;
  }
  [[nodiscard]] std::vector<int> list(const std::string& key) const {
    const auto found = lists.find(key);
    return found == lists.end() ? std::vector<int>() : found->second;
  }
};

struct ElementTypeMarker {
  int bytes = 0;
  std::string precision;  // "bf16"; empty = no compute roof for it
};

struct OperatorMarkers {
  std::vector<OperatorForm> forms;
  std::map<std::string, std::size_t, std::less<>> form_of_op;          // index into forms
  std::map<std::string, ElementTypeMarker, std::less<>> type_of_name;  // "c10::Half"
};

[[nodiscard]] Result<OperatorMarkers> parse_operator_markers(std::string_view json);

}  // namespace rooflab::hw
