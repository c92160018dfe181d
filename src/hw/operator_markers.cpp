// SPDX-License-Identifier: Apache-2.0
#include "hw/operator_markers.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace rooflab::hw {
namespace {

using nlohmann::json;

constexpr int kLargestNumber = 1000;  // argument positions and byte counts are far below

tl::unexpected<Error> bad(std::string where, std::string what) {
  return fail(ErrorCode::kUnreadable, std::move(what), std::move(where));
}

std::optional<int> number_of(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_number_integer()) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  if (number < 0 || number > kLargestNumber) return std::nullopt;
  return static_cast<int>(number);
}

// A flat list of numbers.
std::optional<std::vector<int>> list_of(const json& value) {
  std::vector<int> numbers;
  for (const json& item : value) {
    const std::optional<int> number = number_of(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

Result<OperatorForm> parse_form(const json& row, const std::string& where) {
  OperatorForm form;
  for (const auto& [key, value] : row.items()) {
    if (key == "ops" || key == "why") continue;
    if (key == "form" && value.is_string()) {
      form.form = value.get<std::string>();
    } else if (value.is_array()) {
      const auto list = list_of(value);
      if (!list) return bad(where + "." + key, "not a list of small numbers");
      form.lists[key] = *list;
    } else {
      const auto number = number_of(value);
      if (!number) return bad(where + "." + key, "not a small number");
      form.numbers[key] = *number;
    }
  }
  if (form.form.empty()) return bad(where, "no form");
  return form;
}

Result<void> parse_types(const json& root, OperatorMarkers& markers) {
  const auto types = root.find("types");
  if (types == root.end() || !types->is_array()) return bad("types", "missing");
  for (const json& row : *types) {
    if (!row.is_object() || !row.contains("name") || !row["name"].is_string())
      return bad("types", "a row has no name");
    ElementTypeMarker type;
    if (row.contains("precision") && row["precision"].is_string())
      type.precision = row["precision"].get<std::string>();
    const auto bytes = row.contains("bytes") ? number_of(row["bytes"]) : std::nullopt;
    if (!bytes || *bytes < 1) return bad("types", "a row has no size");
    type.bytes = *bytes;
    markers.type_of_name[row["name"].get<std::string>()] = type;
  }
  return {};
}

}  // namespace

Result<OperatorMarkers> parse_operator_markers(std::string_view text) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return bad("", "operator markers are not a JSON object");
  OperatorMarkers markers;
  RL_CHECK_OK(parse_types(root, markers));
  const auto rows = root.find("operators");
  if (rows == root.end() || !rows->is_array()) return bad("operators", "missing");
  for (const json& row : *rows) {
    const std::string where = "operators[" + std::to_string(markers.forms.size()) + "]";
    if (!row.is_object() || !row.contains("ops") || !row["ops"].is_array())
      return bad(where, "no list of operators");
    RL_TRY(auto form, parse_form(row, where));
    for (const json& op : row["ops"]) {
      if (!op.is_string()) return bad(where, "an operator is not text");
      if (!markers.form_of_op.emplace(op.get<std::string>(), markers.forms.size()).second) {
        return bad(where, "an operator is listed twice: " + op.get<std::string>());
      }
    }
    markers.forms.push_back(std::move(form));
  }
  return markers;
}

}  // namespace rooflab::hw
