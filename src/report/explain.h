// SPDX-License-Identifier: Apache-2.0
// What `rooflab explain` knows: rules (from the registry), and metrics, owners, limits and hygiene
// codes (from data/explain/*.json). Owner names are looked up by their longest explained branch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

struct Topic {
  std::string kind;  // "rule", "metric", "owner", "limit", "hygiene"
  std::string id;
  std::string title;
  std::string text;
  std::vector<std::pair<std::string, std::string>> facts;  // label and text: thresholds, fixes
};

[[nodiscard]] const std::vector<Topic>& topics();
[[nodiscard]] std::vector<std::string> topic_ids();
[[nodiscard]] const Topic* find_topic(std::string_view id);
[[nodiscard]] std::string topic_text(const Topic& topic, const Style& style);
[[nodiscard]] Json topic_json(const Topic& topic);
[[nodiscard]] Table topic_list();

}  // namespace rooflab::report
