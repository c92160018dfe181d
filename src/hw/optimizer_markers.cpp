// SPDX-License-Identifier: Apache-2.0
#include "hw/optimizer_markers.h"

#include <nlohmann/json.hpp>

namespace rooflab::hw {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostValues = 64;

std::string text_of(const json& row, const char* key) {
  const auto found = row.is_object() ? row.find(key) : row.end();
  return row.is_object() && found != row.end() && found->is_string() ? found->get<std::string>()
                                                                     : std::string();
}

int number_of(const json& row, const char* key) {
  const auto found = row.is_object() ? row.find(key) : row.end();
  if (!row.is_object() || found == row.end() || !found->is_number_integer()) return 0;
  const auto number = found->get<std::int64_t>();
  return number < 1 || number > kMostValues ? 0 : static_cast<int>(number);
}

tl::unexpected<Error> bad(const char* list, std::size_t index) {
  return fail(ErrorCode::kUnreadable, "a row needs a pattern, a reason and a source",
              std::string(list) + "[" + std::to_string(index) + "]");
}

bool explained(const json& row) {
  return !text_of(row, "why").empty() && !text_of(row, "source").empty();
}

Result<void> parse_patterns(const json& root, const char* list, std::vector<std::string>& out) {
  const auto rows = root.find(list);
  if (rows == root.end() || !rows->is_array()) return bad(list, 0);
  for (const json& row : *rows) {
    std::string pattern = text_of(row, "pattern");
    if (pattern.empty() || !explained(row)) return bad(list, out.size());
    out.push_back(std::move(pattern));
  }
  return {};
}

}  // namespace

Result<OptimizerMarkers> parse_optimizer_markers(std::string_view text) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    return fail(ErrorCode::kUnreadable, "optimizer markers are not a JSON object");
  OptimizerMarkers markers;
  RL_CHECK_OK(parse_patterns(root, "ranges", markers.ranges));
  RL_CHECK_OK(parse_patterns(root, "fused", markers.fused));
  const auto rows = root.find("traffic");
  if (rows == root.end() || !rows->is_array()) return bad("traffic", 0);
  for (const json& row : *rows) {
    const OptimizerTraffic traffic{text_of(row, "pattern"), number_of(row, "values")};
    if (traffic.values == 0 || !explained(row)) return bad("traffic", markers.traffic.size());
    markers.traffic.push_back(traffic);
  }
  markers.element_bytes = number_of(root, "element_bytes");
  if (markers.traffic.empty() || markers.element_bytes == 0)
    return fail(ErrorCode::kUnreadable, "optimizer markers lack traffic or element_bytes");
  return markers;
}

}  // namespace rooflab::hw
