// SPDX-License-Identifier: Apache-2.0
#include "hw/ceilings.h"

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
  const double value =
      found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
  return std::isfinite(value) && value > 0 ? value : 0;
}

std::vector<Ceiling> load_all() {
  std::vector<Ceiling> all;
  for (const DataFile& file : shipped_data()) {
    if (file.path.substr(0, 9) != "ceilings/") continue;
    auto parsed = parse_ceilings(file.text, file.path);
    CHECK(parsed.has_value(), "data/ceilings files are well formed");
    all.insert(all.end(), parsed->begin(), parsed->end());
  }
  return all;
}

}  // namespace

Result<std::vector<Ceiling>> parse_ceilings(std::string_view text, std::string_view path) {
  const json root = json::parse(text, nullptr, false);
  const auto bad = [&](const std::string& name, const char* what) {
    return fail(ErrorCode::kUnreadable, what, std::string(path) + ": " + name,
                "a ceiling has name, unit, low, likely, high, what, source, date");
  };
  if (!root.is_object() || !root.contains("ceilings") || !root["ceilings"].is_array()) {
    return bad("ceilings", "no list of ceilings");
  }
  std::vector<Ceiling> out;
  for (const json& row : root["ceilings"]) {
    if (!row.is_object()) return bad("ceilings", "not an object");
    Ceiling c{text_of(row, "name"),     text_of(row, "unit"),  text_of(row, "what"),
              text_of(row, "source"),   text_of(row, "date"),  number_of(row, "low"),
              number_of(row, "likely"), number_of(row, "high")};
    if (c.name.empty() || c.unit.empty() || c.what.empty() || c.source.empty() || c.date.empty()) {
      return bad(c.name, "a text is missing");
    }
    const bool ordered =
        (c.low <= c.likely && c.likely <= c.high) || (c.low >= c.likely && c.likely >= c.high);
    if (c.low <= 0 || c.likely <= 0 || c.high <= 0 || !ordered) {
      return bad(c.name, "low, likely and high are no positive numbers in order");
    }
    out.push_back(std::move(c));
  }
  return out;
}

const std::vector<Ceiling>& all_ceilings() {
  static const std::vector<Ceiling> kAll = load_all();
  return kAll;
}

const Ceiling& ceiling(std::string_view name) {
  for (const Ceiling& c : all_ceilings()) {
    if (c.name == name) return c;
  }
  CHECK(false, "every ceiling that a change asks for stands in data/ceilings");
  static const Ceiling kNone;
  return kNone;
}

}  // namespace rooflab::hw
