// SPDX-License-Identifier: Apache-2.0
// The money of every example in docs/cost.md.
#include "cost/money.h"

#include <gtest/gtest.h>

namespace rooflab::cost {
namespace {

constexpr Money kRun{100'000};

TEST(Money, OfARunOfAHundredThousand) {
  EXPECT_NEAR(saving_by_speed(kRun, 1.20).value, 16'667, 0.5);
  EXPECT_NEAR(saving_by_speed(kRun, 1.25).value, 20'000, 0.5);
  EXPECT_NEAR(saving(kRun, Ratio{0.3}, Ratio{0.5}).value, 40'000, 0.5);
  EXPECT_NEAR(saving(kRun, Ratio{0.5}, Ratio{0.7}).value, 28'571, 0.5);
  EXPECT_NEAR(saving(kRun, Ratio{0.6}, Ratio{0.8}).value, 25'000, 0.5);
  EXPECT_NEAR(saving(kRun, Ratio{0.8}, Ratio{1.0}).value, 20'000, 0.5);
  EXPECT_NEAR(saving(kRun, Ratio{0.5}, Ratio{0.98}).value, 48'980, 0.5);
  EXPECT_NEAR(speed_up(Ratio{0.5}, Ratio{0.98}), 1.96, 1e-12);
}

TEST(Money, OfAThousandGpusHalfIdle) {
  const Fleet hour{.gpus = 1000, .hours = 1, .gpu_hour = Money{2}};
  EXPECT_DOUBLE_EQ(idle_waste(spend(hour), Ratio{0.5}).value, 1000);
  const double yearly[][2] = {{2, 8.76e6}, {3, 13.14e6}, {4, 17.52e6}};
  for (const auto& [price, waste] : yearly) {
    const Fleet year{.gpus = 1000, .hours = kHoursPerYear, .gpu_hour = Money{price}};
    EXPECT_NEAR(idle_waste(spend(year), Ratio{0.5}).value, waste, 1);
  }
  EXPECT_NEAR(gpus_for_the_same_rate(1000, Ratio{0.5}, Ratio{0.98}), 510.2, 0.05);
}

// A published figure of somebody else's, by the same formula: 128 GPUs, 70 % idle, 2 an hour, 1.6
// million a year.
TEST(Money, AgreesWithAPublishedFigure) {
  const Fleet year{.gpus = 128, .hours = kHoursPerYear, .gpu_hour = Money{2}};
  EXPECT_NEAR(idle_waste(spend(year), Ratio{0.3}).value, 1.57e6, 1e4);
}

TEST(Money, OfALowerShareIsALoss) {
  EXPECT_NEAR(saving(kRun, Ratio{0.8}, Ratio{0.5}).value, -60'000, 0.5);
}

}  // namespace
}  // namespace rooflab::cost
