// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/number.h"

#include <gtest/gtest.h>

namespace rooflab::importers::kineto {
namespace {

std::int64_t decimal(const char* text, int scale) {
  const Decimal d = parse_decimal(text, scale);
  EXPECT_NE(d.end, nullptr) << text;
  EXPECT_EQ(*d.end, '\0') << text;
  return d.value;
}

TEST(KinetoNumber, MicrosecondsKeepEveryNanosecond) {
  EXPECT_EQ(decimal("5193889866814.171", 3), 5193889866814171);
  EXPECT_EQ(decimal("1712195495519689.001", 3), 1712195495519689001);  // a double holds .000 here
  EXPECT_EQ(decimal("1623142623460111", 3), 1623142623460111000);
  EXPECT_EQ(decimal("0.5", 3), 500);
  EXPECT_EQ(decimal("-3.25", 3), -3250);
  EXPECT_EQ(decimal("7.12", 3), 7120);
}

TEST(KinetoNumber, RoundsHalfAwayFromZeroBeyondTheScale) {
  EXPECT_EQ(decimal("1.0004", 3), 1000);
  EXPECT_EQ(decimal("1.0005", 3), 1001);
  EXPECT_EQ(decimal("-1.0005", 3), -1001);
  EXPECT_EQ(decimal("2.9999999999999999999999", 3), 3000);
  EXPECT_EQ(decimal("1.4", 0), 1);
}

TEST(KinetoNumber, Exponents) {
  EXPECT_EQ(decimal("1.7e3", 0), 1700);
  EXPECT_EQ(decimal("1.712195495519689E15", 3), 1712195495519689000);
  EXPECT_EQ(decimal("25e-1", 3), 2500);
  EXPECT_EQ(decimal("1e-30", 3), 0);
  EXPECT_EQ(decimal("0e99999999999", 3), 0);
}

TEST(KinetoNumber, HoldsWhatDoesNotFitAtTheLimitAndSaysSo) {
  for (const char* text : {"99999999999999999999999", "1e400", "9223372036854775807"}) {
    const Decimal d = parse_decimal(text, 3);
    EXPECT_EQ(d.value, kNumberLimit) << text;
    EXPECT_TRUE(d.out_of_range) << text;
  }
  EXPECT_EQ(parse_decimal("-1e99", 0).value, -kNumberLimit);
}

TEST(KinetoNumber, NoNumberHasNoEnd) {
  for (const char* text : {"", "-", "abc", ".", "-.e5"}) {
    EXPECT_EQ(parse_decimal(text, 3).end, nullptr) << text;
  }
  // What follows a number is the caller's business.
  EXPECT_STREQ(parse_decimal("12,", 0).end, ",");
  EXPECT_STREQ(parse_decimal("12e", 0).end, "e");
}

TEST(KinetoNumber, IntegerTextIsAllOrNothing) {
  std::int64_t out = 0;
  EXPECT_TRUE(parse_integer_text(" 1790857026000000000 ", out));
  EXPECT_EQ(out, 1790857026000000000);
  EXPECT_TRUE(parse_integer_text("-7", out));
  EXPECT_EQ(out, -7);
  for (const char* text : {"", "-", "7x", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(parse_integer_text(text, out)) << text;
  }
}

}  // namespace
}  // namespace rooflab::importers::kineto
