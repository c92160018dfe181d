// SPDX-License-Identifier: Apache-2.0
#include "rules/fixes.h"

#include <nlohmann/json.hpp>
#include <string>

#include "hw/data.h"

namespace rooflab::rules {

namespace {

bool applies(const nlohmann::json& fix, std::string_view condition) {
  const auto named = [&](const char* key) {
    return fix.contains(key) && fix[key].is_string() && fix[key].get<std::string>() == condition;
  };
  return (!fix.contains("when") || named("when")) && !named("unless");
}

}  // namespace

std::vector<Fix> shipped_fixes(std::string_view rule, std::string_view condition) {
  const std::string_view text = hw::shipped_text("fixes/" + std::string(rule) + ".json");
  const auto json =
      nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  std::vector<Fix> out;
  if (!json.is_object() || !json.contains("fixes") || !json["fixes"].is_array()) return out;
  for (const auto& fix : json["fixes"]) {
    const bool whole = fix.is_object() && fix.contains("api") && fix["api"].is_string() &&
                       fix.contains("text") && fix["text"].is_string();
    if (whole && applies(fix, condition)) out.push_back({fix["api"].get<std::string>(), fix["text"].get<std::string>()});
  }
  return out;
}

}  // namespace rooflab::rules
