// SPDX-License-Identifier: Apache-2.0
#include "hw/ceilings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace rooflab::hw {
namespace {

nlohmann::json good() {
  return {{"name", "link"}, {"unit", "ns"}, {"low", 3},         {"likely", 2},
          {"high", 1},      {"what", "it"}, {"source", "here"}, {"date", "2026-11"}};
}

Result<std::vector<Ceiling>> parsed(const nlohmann::json& row) {
  return parse_ceilings(nlohmann::json{{"ceilings", {row}}}.dump(), "test.json");
}

TEST(Ceilings, EitherDirectionIsAnOrder) {
  const auto falling = parsed(good());
  ASSERT_TRUE(falling.has_value());
  ASSERT_EQ(falling->size(), 1U);
  EXPECT_EQ((*falling)[0].name, "link");
  EXPECT_DOUBLE_EQ((*falling)[0].low, 3);
  EXPECT_DOUBLE_EQ((*falling)[0].likely, 2);
  EXPECT_DOUBLE_EQ((*falling)[0].high, 1);
  nlohmann::json row = good();
  row["low"] = 1;
  row["high"] = 3;
  EXPECT_TRUE(parsed(row).has_value());
}

TEST(Ceilings, RefusesWhatIsMissing) {
  for (const char* key : {"name", "unit", "low", "likely", "high", "what", "source", "date"}) {
    nlohmann::json row = good();
    row.erase(key);
    const auto result = parsed(row);
    ASSERT_FALSE(result.has_value()) << key;
    EXPECT_EQ(result.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(result.error().where.find("test.json"), std::string::npos);
  }
}

TEST(Ceilings, RefusesValuesThatAreNoRange) {
  const std::pair<const char*, nlohmann::json> bad[] = {
      {"likely", 4}, {"likely", 0}, {"low", -1}, {"high", "1"}, {"high", 2.5}};
  for (const auto& [key, value] : bad) {
    nlohmann::json row = good();
    row[key] = value;
    EXPECT_FALSE(parsed(row).has_value()) << key << " " << value;
  }
}

TEST(Ceilings, RefusesOtherShapes) {
  for (const char* text : {"", "[]", "{}", R"({"ceilings": {}})", R"({"ceilings": [1]})", "{"}) {
    EXPECT_FALSE(parse_ceilings(text, "test.json").has_value()) << text;
  }
}

TEST(Ceilings, ShippedOnesHaveOneNameEach) {
  std::set<std::string> names;
  for (const Ceiling& c : all_ceilings()) EXPECT_TRUE(names.insert(c.name).second) << c.name;
  for (const char* used : {"host_link_share", "pinned_copy_fixed_ns", "graph_launch_ns",
                           "graph_node_gap_ns", "loader_worker_share"}) {
    EXPECT_EQ(ceiling(used).name, used);
  }
}

}  // namespace
}  // namespace rooflab::hw
