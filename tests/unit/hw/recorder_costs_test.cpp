// SPDX-License-Identifier: Apache-2.0
#include "hw/recorder_costs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rooflab::hw {
namespace {

nlohmann::json good() {
  return {{"tool", "T"},
          {"source", "here"},
          {"date", "2026-11"},
          {"modes", {{{"mode", "all"}, {"low", 0}, {"likely", 0.5}, {"high", 1}}}}};
}

Result<std::vector<RecorderCost>> parsed(const nlohmann::json& root) {
  return parse_recorder_costs(root.dump(), "test.json");
}

TEST(RecorderCosts, ReadsEachMode) {
  const auto costs = parsed(good());
  ASSERT_TRUE(costs.has_value());
  ASSERT_EQ(costs->size(), 1U);
  EXPECT_EQ((*costs)[0].tool, "T");
  EXPECT_EQ((*costs)[0].mode, "all");
  EXPECT_DOUBLE_EQ((*costs)[0].low, 0);
  EXPECT_DOUBLE_EQ((*costs)[0].likely, 0.5);
  EXPECT_DOUBLE_EQ((*costs)[0].high, 1);
}

TEST(RecorderCosts, RefusesWhatIsMissing) {
  for (const char* key : {"tool", "source", "date", "modes"}) {
    nlohmann::json root = good();
    root.erase(key);
    EXPECT_FALSE(parsed(root).has_value()) << key;
  }
  for (const char* key : {"mode", "low", "likely", "high"}) {
    nlohmann::json root = good();
    root["modes"][0].erase(key);
    const auto result = parsed(root);
    ASSERT_FALSE(result.has_value()) << key;
    EXPECT_EQ(result.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(result.error().where.find("test.json"), std::string::npos);
  }
}

TEST(RecorderCosts, RefusesValuesOutOfOrder) {
  const std::pair<const char*, double> bad[] = {
      {"low", -0.1}, {"low", 0.6}, {"likely", 1.1}, {"high", 0.4}};
  for (const auto& [key, value] : bad) {
    nlohmann::json root = good();
    root["modes"][0][key] = value;
    EXPECT_FALSE(parsed(root).has_value()) << key << " " << value;
  }
}

TEST(RecorderCosts, RefusesOtherShapes) {
  for (const char* text :
       {"", "[]", "{}", "{", R"({"tool": "T", "source": "s", "date": "d", "modes": [1]})"}) {
    EXPECT_FALSE(parse_recorder_costs(text, "test.json").has_value()) << text;
  }
}

TEST(RecorderCosts, OnlyCalibratedModesAreKnown) {
  const char* tool = "PyTorch profiler (Kineto)";
  for (const char* mode : {"device", "host_device", "host_device_shapes", "host_device_memory",
                           "host_device_stacks"}) {
    const RecorderCost* cost = recorder_cost(tool, mode);
    ASSERT_NE(cost, nullptr) << mode;
    EXPECT_GT(cost->likely, 0) << mode;
  }
  EXPECT_EQ(recorder_cost(tool, "counters"), nullptr);
  EXPECT_EQ(recorder_cost("another", "device"), nullptr);
}

}  // namespace
}  // namespace rooflab::hw
