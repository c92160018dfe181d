// SPDX-License-Identifier: Apache-2.0
// One test for each trap of the cost guide.
#include "cost/traps.h"

#include <gtest/gtest.h>

namespace rooflab::cost {
namespace {

TEST(Traps, LevelsMultiply) {
  Levels levels{Ratio{0.90}, Ratio{0.95}, Ratio{0.50}, Ratio{0.40}};
  const Ratio before = effective(levels);
  EXPECT_NEAR(before.value, 0.171, 1e-12);
  levels.accelerator = Ratio{0.98};
  EXPECT_NEAR(speed_up(before, effective(levels)), 1.96, 1e-12);
}

TEST(Traps, FasterKernelsDoNotShortenStalls) {
  EXPECT_NEAR(speed_up_of_kernels(Ratio{0.5}, 2), 1.333, 1e-3);
  EXPECT_NEAR(speed_up_of_kernels(Ratio{0.5}, 10), 1.818, 1e-3);
}

// The job is bound by its input: kernels twice as fast change nothing but the utilisation, which
// falls.
TEST(Traps, FasterKernelsBesideSlowInputGainNothing) {
  EXPECT_DOUBLE_EQ(speed_up_of_kernels_beside_input(10, 5, 2), 1);
  EXPECT_DOUBLE_EQ(speed_up_of_kernels_beside_input(5, 10, 2), 2);
  EXPECT_DOUBLE_EQ(speed_up_of_kernels_beside_input(8, 10, 2), 1.25);
}

TEST(Traps, UtilisationIsNoObjective) {
  // Slower kernels: the device is busy for longer, the step takes longer, the work costs more.
  const double input = 5, fast = 5, slow = 10;
  const double busy_fast = fast / (input + fast), busy_slow = slow / (input + slow);
  EXPECT_GT(busy_slow, busy_fast);
  const double speed = (input + fast) / (input + slow);
  EXPECT_LT(saving_by_speed(Money{100}, speed).value, 0);
}

TEST(Traps, AveragesAreOverTimeOrOverWork) {
  EXPECT_DOUBLE_EQ(useful_by_time({{9, Ratio{0.2}}, {1, Ratio{1.0}}}).value, 0.28);
  EXPECT_DOUBLE_EQ(rate_over_equal_work({100, 25}), 40);  // not 62.5
  EXPECT_DOUBLE_EQ(rate_over_equal_work({100, 0}), 0);
  EXPECT_DOUBLE_EQ(rate_over_equal_work({}), 0);
  EXPECT_DOUBLE_EQ(useful_by_time({}).value, 0);
}

TEST(Traps, TheSlowestRankIsTheJob) {
  // One of two slow ranks mended: half of the gap in the mean, nothing for the job.
  EXPECT_DOUBLE_EQ(job_speed_up({10, 10, 20, 20}, {10, 10, 10, 20}), 1);
  EXPECT_DOUBLE_EQ(job_speed_up({10, 10, 10, 20}, {10, 10, 10, 10}), 2);
}

TEST(Traps, AFleetForItsPeakSavesWholeReplicas) {
  EXPECT_EQ(replicas(1000, 110), 10U);
  EXPECT_EQ(replicas(1000, 111), 10U);  // faster, and not one replica fewer
  EXPECT_EQ(replicas(1000, 125), 8U);
  EXPECT_EQ(replicas(1000, 0), 0U);
}

TEST(Traps, AFixCostsMoneyToo) {
  const Net net = net_of(Money{20}, {.once = Money{3000}, .per_hour = Money{5}});
  EXPECT_DOUBLE_EQ(net.per_hour.value, 15);
  ASSERT_TRUE(net.payback_hours.has_value());
  EXPECT_DOUBLE_EQ(*net.payback_hours, 200);
  EXPECT_FALSE(net_of(Money{4}, {.once = Money{1}, .per_hour = Money{5}}).payback_hours);
}

TEST(Traps, ASavingIsAnInterval) {
  const Range sure = saving_range(Money{100'000}, 1.1, 1.2, 1.3);
  EXPECT_TRUE(sure.distinguishable);
  EXPECT_NEAR(sure.low.value, 9091, 1);
  EXPECT_NEAR(sure.likely.value, 16'667, 1);
  EXPECT_NEAR(sure.high.value, 23'077, 1);
  EXPECT_FALSE(saving_range(Money{100'000}, 0.97, 1.01, 1.05).distinguishable);
}

}  // namespace
}  // namespace rooflab::cost
