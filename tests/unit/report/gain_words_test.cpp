// SPDX-License-Identifier: Apache-2.0
#include "report/gain_words.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rooflab::report {
namespace {

rules::Gain gain(double low, double likely, double high) {
  rules::Gain g;
  g.low = low;
  g.likely = likely;
  g.high = high;
  return g;
}

TEST(GainWords, TwoFiguresAndTheSecondDecimalBelowTwo) {
  EXPECT_EQ(gain_words(gain(5.37, 8.69, 12.12)), "8.7x (5.4-12.1x)");
  EXPECT_EQ(gain_words(gain(1.051, 1.074, 1.1)), "1.07x (1.05-1.10x)");
  EXPECT_EQ(gain_words(gain(90, 120.4, 180)), "120x (90.0-180x)");
}

TEST(GainWords, AnIntervalWithoutWidthIsNotWritten) {
  EXPECT_EQ(gain_words(gain(1, 1, 1)), "1.00x");
}

TEST(GainWords, ABoundIsAtMost) {
  rules::Gain g;
  g.high = 1.46;
  g.bound = true;
  EXPECT_EQ(gain_words(g), "at most 1.46x");
  EXPECT_TRUE(gain_json(g)["likely"].is_null());
}

TEST(GainWords, TheRecordedGainStandsBesideWhereItIsGiven) {
  rules::Gain g = gain(1.2, 1.5, 1.8);
  g.as_recorded = 2.04;
  EXPECT_EQ(gain_words(g), "1.50x (1.20-1.80x), as recorded 2.0x");
  EXPECT_EQ(gain_json(g)["as_recorded"], 2.04);
}

TEST(GainWords, ChangesAreWrittenAsWhatifReadsThem) {
  EXPECT_EQ(calls_words({{"pin-copies", {}}, {"loader-workers", {"4"}}}),
            "pin-copies + loader-workers 4");
  EXPECT_EQ(call_words({"remove-host", {"range:log metrics"}}), "remove-host 'range:log metrics'");
}

TEST(GainWords, AnUnsuitableFileSaysWhy) {
  verdict::GainBasis b;
  EXPECT_EQ(not_predicted_words(b), "not predicted: no device step in the window to re-time");
  b.recorded_step_ns = 1000;
  b.error_ratio = 0.061;
  EXPECT_EQ(not_predicted_words(b),
            "not predicted: the recorded step is not reproduced within 2 % (6.1 % off)");
  b.suitable = true;
  EXPECT_EQ(not_predicted_words(b), "");
}

}  // namespace
}  // namespace rooflab::report
