// SPDX-License-Identifier: Apache-2.0
// What `rooflab explain` knows: rules (from the registry), and metrics, owners, limits, hygiene
// codes and the other words of an answer (from data/explain/*.json). Owner names are looked up by
// their longest explained branch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

struct Topic {
  std::string kind;  // "rule", "metric", "owner", "limit", "class", "state", "hygiene" ...
  std::string id;
  std::string title;
  std::string text;
  std::vector<std::pair<std::string, std::string>> facts;  // label and text: thresholds, fixes
};

[[nodiscard]] const std::vector<Topic>& topics();
[[nodiscard]] std::vector<std::string> topic_ids();
[[nodiscard]] const Topic* find_topic(std::string_view id);
// A name may be an owner and a limit: all topics of that name, else the owner's branch.
[[nodiscard]] std::vector<const Topic*> find_topics(std::string_view id);
[[nodiscard]] std::string topic_text(const Topic& topic, const Style& style);
[[nodiscard]] std::string topics_text(const std::vector<const Topic*>& topics, const Style& style);
[[nodiscard]] Json topic_json(const Topic& topic);
// One topic as it is; several as {"topics": []}.
[[nodiscard]] Json topics_json(const std::vector<const Topic*>& topics);
[[nodiscard]] Table topic_table(const std::vector<const Topic*>& topics);
[[nodiscard]] Table topic_list();

}  // namespace rooflab::report
