// SPDX-License-Identifier: Apache-2.0
#include "analysis/operator_forms.h"

#include "base/check.h"
#include "hw/data.h"

namespace rooflab::analysis {
namespace {

hw::OperatorMarkers load_markers() {
  Result<hw::OperatorMarkers> markers =
      hw::parse_operator_markers(hw::shipped_text("markers/operators.json"));
  CHECK(markers.has_value(), "the shipped operator markers parse");
  return *std::move(markers);
}

const hw::OperatorMarkers& markers() {
  static const hw::OperatorMarkers loaded = load_markers();
  return loaded;
}

}  // namespace

std::optional<ElementType> element_type(std::string_view name) {
  const auto found = markers().type_of_name.find(name);
  if (found == markers().type_of_name.end()) return std::nullopt;
  return ElementType{found->second.bytes, precision_named(found->second.precision)};
}

const hw::OperatorForm* operator_form(std::string_view op_name) {
  const auto found = markers().form_of_op.find(op_name);
  return found == markers().form_of_op.end() ? nullptr : &markers().forms[found->second];
}

}  // namespace rooflab::analysis
