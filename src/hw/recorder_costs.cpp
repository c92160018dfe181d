// SPDX-License-Identifier: Apache-2.0
#include "hw/recorder_costs.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "hw/data.h"

namespace rooflab::hw {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_of(const json& object, const char* key) {
  const auto found = object.find(key);
  const double value = found != object.end() && found->is_number() ? found->get<double>() : -1;
  return std::isfinite(value) ? value : -1;
}

std::vector<RecorderCost> load_all() {
  std::vector<RecorderCost> all;
  for (const DataFile& file : shipped_data()) {
    if (file.path.substr(0, 10) != "recorders/") continue;
    auto parsed = parse_recorder_costs(file.text, file.path);
    CHECK(parsed.has_value(), "data/recorders files are well formed");
    all.insert(all.end(), parsed->begin(), parsed->end());
  }
  return all;
}

}  // namespace

Result<std::vector<RecorderCost>> parse_recorder_costs(std::string_view text,
                                                       std::string_view path) {
  const json root = json::parse(text, nullptr, false);
  const auto bad = [&](const std::string& key, const char* what) {
    return fail(ErrorCode::kUnreadable, what, std::string(path) + ": " + key,
                "a recorder has tool, source, date and modes with low <= likely <= high");
  };
  if (!root.is_object()) return bad("", "not an object");
  const std::string tool = text_of(root, "tool");
  const std::string source = text_of(root, "source");
  const std::string date = text_of(root, "date");
  if (tool.empty() || source.empty() || date.empty()) return bad("tool", "a text is missing");
  const auto modes = root.find("modes");
  if (modes == root.end() || !modes->is_array()) return bad("modes", "no list of modes");
  std::vector<RecorderCost> out;
  for (const json& row : *modes) {
    if (!row.is_object()) return bad("modes", "not an object");
    RecorderCost cost{tool,
                      text_of(row, "mode"),
                      number_of(row, "low"),
                      number_of(row, "likely"),
                      number_of(row, "high"),
                      source,
                      date};
    const bool ordered = cost.low >= 0 && cost.low <= cost.likely && cost.likely <= cost.high;
    if (cost.mode.empty() || !ordered) return bad("modes", "no mode, or its k are not in order");
    out.push_back(std::move(cost));
  }
  return out;
}

const RecorderCost* recorder_cost(std::string_view tool, std::string_view mode) {
  static const std::vector<RecorderCost> kAll = load_all();
  for (const RecorderCost& cost : kAll) {
    if (cost.tool == tool && cost.mode == mode) return &cost;
  }
  return nullptr;
}

}  // namespace rooflab::hw
