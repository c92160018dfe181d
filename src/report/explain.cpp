// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "graph/change.h"
#include "hw/counters.h"
#include "hw/data.h"
#include "report/page.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::report {
namespace {

constexpr std::string_view kChanges = "explain/changes.json";

// 10,000 and 0.05: a threshold is set by people, in figures that need no exponent.
std::string plain_number(double value) {
  constexpr double kLargestWhole = 1e15;  // beyond, a double no longer tells whole numbers apart
  const bool whole = std::abs(value) < kLargestWhole && value == std::floor(value);
  return whole ? human_count(static_cast<std::int64_t>(value)) : fmt::format("{:.6g}", value);
}

Topic rule_topic(const rules::Rule& rule) {
  Topic t{"rule", rule.info.id, rule.info.title, rule.info.why, {}};
  for (const rules::Threshold& threshold : rule.info.thresholds) {
    t.facts.emplace_back("threshold", fmt::format("{} = {}: {}", threshold.name,
                                                  plain_number(threshold.value), threshold.why));
  }
  for (const rules::Fix& fix : rules::shipped_fixes(rule.info.id))
    t.facts.emplace_back("fix (" + fix.api + ")", fix.text);
  if (!rule.info.tested_on_real_input) t.facts.emplace_back("caution", "untested on real input");
  return t;
}

std::string text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

void add_data_topics(const hw::DataFile& file, std::vector<Topic>& out) {
  const Json json =
      Json::parse(file.text.begin(), file.text.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return;
  const std::string kind = text_of(json, "kind");
  const auto list = json.find("topics");
  if (list == json.end() || !list->is_array()) return;
  for (const Json& topic : *list) {
    if (topic.is_object())
      out.push_back(
          {kind, text_of(topic, "id"), text_of(topic, "title"), text_of(topic, "text"), {}});
  }
}

// data/explain/changes.json says more than a change's one line; a change without an entry has that.
Topic change_topic(const graph::Change& change, const Json& file) {
  Topic t{"change", change.name, change.what, {}, {}};
  t.text = std::string("Simulated: ") + change.what + ".";
  const auto list = file.is_object() ? file.find("topics") : file.end();
  if (list != file.end() && list->is_array()) {
    for (const Json& topic : *list) {
      if (topic.is_object() && text_of(topic, "id") == change.name) t.text = text_of(topic, "text");
    }
  }
  const std::string arguments = change.arguments;
  const std::string call = change.name + (arguments.empty() ? "" : " " + arguments);
  t.facts.emplace_back("try", "rooflab whatif FILE --change \"" + call + "\"");
  return t;
}

Topic counter_topic(const hw::CounterMetric& metric) {
  Topic t{"counter",
          metric.id,
          metric.what,
          "A counter of kernel launches, in " + metric.unit + ".",
          {}};
  if (!metric.caveat.empty()) t.facts.emplace_back("caution", metric.caveat);
  return t;
}

std::vector<Topic> build_topics() {
  std::vector<Topic> out;
  for (const rules::Rule& rule : rules::all_rules()) out.push_back(rule_topic(rule));
  for (const hw::CounterMetric& metric : hw::all_counter_metrics())
    out.push_back(counter_topic(metric));
  const Json changes = Json::parse(hw::shipped_text(kChanges), nullptr, /*allow_exceptions=*/false);
  for (const graph::Change& change : graph::all_changes()) {
    out.push_back(change_topic(change, changes));
  }
  for (const hw::DataFile& file : hw::shipped_data()) {
    if (file.path.starts_with("explain/") && file.path != kChanges) add_data_topics(file, out);
  }
  return out;
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = build_topics();
  return all;
}

std::vector<std::string> topic_ids() {
  std::vector<std::string> ids;
  for (const Topic& topic : topics()) ids.push_back(topic.id);
  return ids;
}

const Topic* find_topic(std::string_view id) {
  const Topic* best = nullptr;
  for (const Topic& topic : topics()) {
    if (topic.id == id) return &topic;
    const bool covers = topic.kind == "owner" && analysis::in_branch(id, topic.id);
    if (covers && (best == nullptr || topic.id.size() > best->id.size())) best = &topic;
  }
  return best;
}

std::vector<const Topic*> find_topics(std::string_view id) {
  std::vector<const Topic*> out;
  for (const Topic& topic : topics()) {
    if (topic.id == id) out.push_back(&topic);
  }
  if (const Topic* branch = out.empty() ? find_topic(id) : nullptr; branch != nullptr)
    out.push_back(branch);
  return out;
}

std::string topic_text(const Topic& topic, const Style& style) {
  Page page(style);
  page.line(paint(style, Ink::kBold, topic.id) + " (" + topic.kind + ")");
  page.paragraph("", topic.title);
  page.line();
  page.paragraph("", topic.text);
  if (!topic.facts.empty()) page.line();
  for (const auto& [label, text] : topic.facts) page.paragraph(label + ": ", text);
  return std::move(page).take();
}

Json topic_json(const Topic& topic) {
  Json facts = Json::array();
  for (const auto& [label, text] : topic.facts) facts.push_back({{"label", label}, {"text", text}});
  return {{"kind", topic.kind},
          {"id", topic.id},
          {"title", topic.title},
          {"text", topic.text},
          {"facts", facts}};
}

std::string topics_text(const std::vector<const Topic*>& topics, const Style& style) {
  std::string out;
  for (const Topic* topic : topics) out += (out.empty() ? "" : "\n") + topic_text(*topic, style);
  return out;
}

Json topics_json(const std::vector<const Topic*>& topics) {
  if (topics.size() == 1) return topic_json(*topics[0]);
  Json list = Json::array();
  for (const Topic* topic : topics) list.push_back(topic_json(*topic));
  return {{"topics", std::move(list)}};
}

Table topic_table(const std::vector<const Topic*>& topics) {
  Table t;
  t.id = "topics";
  t.columns = {{"kind", "kind", Unit::kText},
               {"id", "name", Unit::kText},
               {"title", "what it is", Unit::kText},
               {"text", "explanation", Unit::kText}};
  for (const Topic* topic : topics)
    t.rows.push_back({topic->kind, topic->id, topic->title, topic->text});
  return t;
}

Table topic_list() {
  Table t;
  t.id = "topics";
  t.columns = {{"kind", "kind", Unit::kText},
               {"id", "name", Unit::kText},
               {"title", "what it is", Unit::kText}};
  for (const Topic& topic : topics()) t.rows.push_back({topic.kind, topic.id, topic.title});
  return t;
}

}  // namespace rooflab::report
