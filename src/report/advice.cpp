// SPDX-License-Identifier: Apache-2.0
#include "report/advice.h"

#include <nlohmann/json.hpp>

#include "analysis/owner_totals.h"
#include "hw/data.h"

namespace rooflab::report {

std::string advice_for(std::string_view owner) {
  const auto file = nlohmann::json::parse(hw::shipped_text("advice/owners.json"), nullptr,
                                          /*allow_exceptions=*/false);
  std::string best_branch;
  std::string text;
  if (!file.is_object() || !file.contains("owners") || !file["owners"].is_array()) return text;
  for (const auto& row : file["owners"]) {
    const bool whole = row.is_object() && row.contains("branch") && row["branch"].is_string() &&
                       row.contains("text") && row["text"].is_string();
    if (!whole) continue;
    const auto branch = row["branch"].get<std::string>();
    if (!analysis::in_branch(owner, branch) || branch.size() < best_branch.size()) continue;
    best_branch = branch;
    text = row["text"].get<std::string>();
  }
  return text;
}

}  // namespace rooflab::report
