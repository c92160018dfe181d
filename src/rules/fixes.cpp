// SPDX-License-Identifier: Apache-2.0
#include "rules/fixes.h"

#include <nlohmann/json.hpp>
#include <string>

#include "hw/data.h"

namespace rooflab::rules {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool fits(const Json& fix, std::string_view condition) {
  const std::string when = text_of(fix, "when");
  const std::string unless = text_of(fix, "unless");
  return (when.empty() || when == condition) && (unless.empty() || unless != condition);
}

template <class Wanted>
std::vector<Fix> read_fixes(std::string_view rule, Wanted wanted) {
  const std::string_view text = hw::shipped_text("fixes/" + std::string(rule) + ".json");
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  std::vector<Fix> out;
  if (!json.is_object() || !json.contains("fixes") || !json["fixes"].is_array()) return out;
  for (const Json& fix : json["fixes"]) {
    if (!fix.is_object() || !wanted(fix)) continue;
    out.push_back({text_of(fix, "api"), text_of(fix, "text")});
  }
  return out;
}

}  // namespace

std::vector<Fix> shipped_fixes(std::string_view rule, std::string_view condition) {
  return read_fixes(rule, [condition](const Json& fix) { return fits(fix, condition); });
}

std::vector<Fix> shipped_fixes(std::string_view rule) {
  return read_fixes(rule, [](const Json&) { return true; });
}

}  // namespace rooflab::rules
