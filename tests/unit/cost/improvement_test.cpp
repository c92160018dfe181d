// SPDX-License-Identifier: Apache-2.0
#include "cost/improvement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rooflab::cost {
namespace {

using ::testing::HasSubstr;

double speed(std::string_view text, std::optional<Ratio> useful = {}) {
  const auto parsed = parse_improvement(text, useful);
  EXPECT_TRUE(parsed.has_value()) << text << ": " << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : 0;
}

std::string refusal(std::string_view text, std::optional<Ratio> useful = {}) {
  const auto parsed = parse_improvement(text, useful);
  EXPECT_FALSE(parsed.has_value()) << text;
  return parsed ? "" : parsed.error().message;
}

TEST(Improvement, FormsThatSayWhatTheyMean) {
  EXPECT_DOUBLE_EQ(speed("x1.2"), 1.2);
  EXPECT_DOUBLE_EQ(speed("+20%rel"), 1.2);
  EXPECT_DOUBLE_EQ(speed("20%rel"), 1.2);
  EXPECT_DOUBLE_EQ(speed("time-20%"), 1.25);
  EXPECT_DOUBLE_EQ(speed("time+25%"), 0.8);
  EXPECT_DOUBLE_EQ(speed("+20pts", Ratio{0.5}), 1.4);
}

TEST(Improvement, ABarePercentageIsAQuestion) {
  for (const char* text : {"20%", "+20%", "-5%"}) {
    EXPECT_THAT(refusal(text), HasSubstr("relative, points, or time?"));
  }
}

TEST(Improvement, PointsNeedTheShareTheyStartFrom) {
  EXPECT_THAT(refusal("+20pts"), HasSubstr("of which useful share?"));
  EXPECT_THAT(refusal("+60pts", Ratio{0.5}), HasSubstr("outside 0 to 1"));
}

TEST(Improvement, NonsenseIsRefused) {
  for (const char* text :
       {"", "x", "x-1", "x0", "xnan", "xinf", "time-100%", "pts", "abc", "1.2"}) {
    EXPECT_FALSE(refusal(text, Ratio{0.5}).empty()) << text;
  }
}

}  // namespace
}  // namespace rooflab::cost
