// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema that the shipped schemas use: type, properties, required,
// additionalProperties, items, enum, const, anyOf, minimum, maximum. A keyword it does not know is
// a fault, so that no schema passes by being ignored.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace rooflab::testing {

using SchemaJson = nlohmann::ordered_json;

inline bool has_type(const SchemaJson& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// Empty if `value` satisfies `schema`, else the first fault with its place.
inline std::string schema_fault(const SchemaJson& value, const SchemaJson& schema,
                                const std::string& at = "$") {
  static const std::set<std::string> known = {
      "$schema", "title", "type",  "properties", "required", "additionalProperties",
      "items",   "enum",  "const", "anyOf",      "minimum",  "maximum"};
  for (const auto& [key, unused] : schema.items()) {
    if (known.count(key) == 0) return at + ": the schema uses an unknown keyword " + key;
  }
  if (schema.contains("type")) {
    const SchemaJson& type = schema["type"];
    bool fits = type.is_string() && has_type(value, type.get<std::string>());
    if (type.is_array()) {
      for (const auto& one : type) fits = fits || has_type(value, one.get<std::string>());
    }
    if (!fits) return at + ": not of type " + type.dump() + ": " + value.dump().substr(0, 80);
  }
  if (schema.contains("const") && value != schema["const"])
    return at + ": not " + schema["const"].dump();
  if (schema.contains("enum")) {
    bool found = false;
    for (const auto& one : schema["enum"]) found = found || one == value;
    if (!found) return at + ": not one of " + schema["enum"].dump() + ": " + value.dump();
  }
  if (schema.contains("minimum") && value.is_number() &&
      value.get<double>() < schema["minimum"].get<double>()) {
    return at + ": too small: " + value.dump();
  }
  if (schema.contains("maximum") && value.is_number() &&
      value.get<double>() > schema["maximum"].get<double>()) {
    return at + ": too large: " + value.dump();
  }
  if (schema.contains("anyOf")) {
    std::string faults;
    for (const auto& one : schema["anyOf"]) {
      const std::string fault = schema_fault(value, one, at);
      if (fault.empty()) {
        faults.clear();
        break;
      }
      faults += (faults.empty() ? "" : " | ") + fault;
    }
    if (!faults.empty()) return faults;
  }
  if (value.is_object()) {
    if (schema.contains("required")) {
      for (const auto& key : schema["required"]) {
        if (!value.contains(key.get<std::string>()))
          return at + ": lacks " + key.get<std::string>();
      }
    }
    for (const auto& [key, member] : value.items()) {
      std::string fault;
      if (schema.contains("properties") && schema["properties"].contains(key)) {
        fault = schema_fault(member, schema["properties"][key], at + "." + key);
      } else if (schema.contains("additionalProperties")) {
        const SchemaJson& extra = schema["additionalProperties"];
        if (extra.is_boolean() && !extra.get<bool>()) return at + ": has an undescribed key " + key;
        if (extra.is_object()) fault = schema_fault(member, extra, at + "." + key);
      }
      if (!fault.empty()) return fault;
    }
  }
  if (value.is_array() && schema.contains("items")) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string fault =
          schema_fault(value[i], schema["items"], at + "[" + std::to_string(i) + "]");
      if (!fault.empty()) return fault;
    }
  }
  return {};
}

}  // namespace rooflab::testing
