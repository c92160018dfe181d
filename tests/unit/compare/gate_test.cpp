// SPDX-License-Identifier: Apache-2.0
#include "compare/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rooflab::compare {
namespace {

using ::testing::HasSubstr;

Comparison with(double low, double ratio, double high) {
  Comparison c;
  for (Figure* f : {&c.recorded, &c.deflated, &c.busy}) {
    f->change = {100, 100 * ratio, ratio, low, high, true};
  }
  return c;
}

Met met(const char* condition, const Comparison& c) {
  const auto parsed = parse_condition(condition);
  EXPECT_TRUE(parsed.has_value()) << condition;
  return parsed ? judge(*parsed, c).met : Met::kUndecided;
}

TEST(Gate, ReadsConditions) {
  const auto c = parse_condition("device_busy_per_unit>+5%");
  ASSERT_TRUE(c.has_value());
  EXPECT_EQ(c->figure, Basis::kBusy);
  EXPECT_TRUE(c->above);
  EXPECT_DOUBLE_EQ(c->ratio, 1.05);
  EXPECT_DOUBLE_EQ(parse_condition("step_time < -10%")->ratio, 0.9);
  for (const char* bad : {"", "step_time", "step_time>5", "speed>+5%", "step_time>+x%",
                          "step_time>+nan%", "step_time<-100%", "step_time>%"}) {
    EXPECT_FALSE(parse_condition(bad).has_value()) << bad;
  }
}

TEST(Gate, DecidesByTheWholeInterval) {
  EXPECT_EQ(met("step_time>+5%", with(1.08, 1.1, 1.12)), Met::kYes);
  EXPECT_EQ(met("step_time>+5%", with(0.99, 1.0, 1.01)), Met::kNo);
  EXPECT_EQ(met("step_time>+5%", with(1.0, 1.06, 1.12)), Met::kUndecided);
  EXPECT_EQ(met("step_time<-5%", with(0.8, 0.85, 0.9)), Met::kYes);
}

TEST(Gate, SaysWhyItCannotDecide) {
  Comparison c = with(1.08, 1.1, 1.12);
  c.refused = true;
  EXPECT_EQ(met("step_time>+5%", c), Met::kUndecided);
  c.refused = false;
  c.disagree = c.recorder_limited = true;
  EXPECT_THAT(judge(*parse_condition("step_time>+5%"), c).why, HasSubstr("name"));
  EXPECT_EQ(met("device_busy_per_unit>+5%", c), Met::kYes);
  c.busy.change.known = false;
  EXPECT_THAT(judge(*parse_condition("device_busy_per_unit>+5%"), c).why, HasSubstr("units"));
}

}  // namespace
}  // namespace rooflab::compare
