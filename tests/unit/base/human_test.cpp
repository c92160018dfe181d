// SPDX-License-Identifier: Apache-2.0
#include "base/human.h"

#include <gtest/gtest.h>

namespace rooflab {
namespace {

TEST(Human, TimeHasThreeDigitsAndTheRightUnit) {
  EXPECT_EQ(human_time(Nanos(0)), "0 ns");
  EXPECT_EQ(human_time(Nanos(999)), "999 ns");
  EXPECT_EQ(human_time(Nanos(1000)), "1.00 us");
  EXPECT_EQ(human_time(Nanos(52'900'000)), "52.9 ms");
  EXPECT_EQ(human_time(Nanos(999'960'000)), "1.00 s");  // not "1000 ms"
  EXPECT_EQ(human_time(Nanos(-1'500'000)), "-1.50 ms");
  EXPECT_EQ(human_time(kNanosMax), "9223372037 s");
  EXPECT_EQ(human_time(kNanosMin), "-9223372037 s");
}

TEST(Human, PercentNeverRoundsToNothingOrToTheWhole) {
  EXPECT_EQ(human_percent(Ratio{0}), "0.0 %");
  EXPECT_EQ(human_percent(Ratio{0.0062}), "0.6 %");
  EXPECT_EQ(human_percent(Ratio{0.00001}), "<0.1 %");
  EXPECT_EQ(human_percent(Ratio{0.99999}), ">99.9 %");
  EXPECT_EQ(human_percent(Ratio{1}), "100.0 %");
}

TEST(Human, BytesAndRatesAreDecimal) {
  EXPECT_EQ(human_bytes(Bytes(512)), "512 B");
  EXPECT_EQ(human_bytes(Bytes(268'435'456)), "268 MB");
  EXPECT_EQ(human_rate(2.766e10), "27.7 GB/s");
  EXPECT_EQ(human_rate(4.8e12), "4.80 TB/s");
  EXPECT_EQ(human_flops(9.89e14), "989 TFLOP/s");
}

TEST(Human, CountsAreGrouped) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace rooflab
