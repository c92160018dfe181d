// SPDX-License-Identifier: Apache-2.0
// Which launches are read, which values cannot be true, and what a kernel is bound by.
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/measured.h"
#include "support/recording.h"

namespace rooflab::analysis {
namespace {

using testing::analysed_profile;
using testing::measured_kernel;

model::Profile launches(const std::vector<double>& durations, std::int64_t process = 1) {
  model::Builder builder("test");
  for (const double ns : durations) {
    const auto id = builder.add(model::MeasuredRow{builder.intern("k(int)"), builder.device(0),
                                                   builder.launch_config({}), 0, process});
    builder.add_metric(id, "duration_ns", ns);
  }
  return std::move(builder).build();
}

double median_of(const std::vector<double>& durations) {
  const auto r = analysed_profile(launches(durations));
  return r == nullptr ? -1 : r->analysis.counters.kernels.at(0).value_or("duration_ns", -1);
}

TEST(KernelCounters, TheFirstLaunchIsAWarmUpWhereThereAreLaterOnes) {
  EXPECT_EQ(median_of({100}), 100);
  EXPECT_EQ(median_of({900, 100}), 100);
  EXPECT_EQ(median_of({900, 100, 110}), 105);
  EXPECT_EQ(median_of({900, 100, 110, 500}), 110);
}

TEST(KernelCounters, SizesTellKernelsOfOneNameApart) {
  model::Builder builder("test");
  for (const std::int32_t blocks : {1, 2, 2}) {
    model::LaunchConfig config;
    config.grid = {blocks, 1, 1};
    config.block = {32, 1, 1};
    builder.add(model::MeasuredRow{builder.intern("k"), builder.device(0),
                                   builder.launch_config(config), 0, 1});
  }
  const auto r = analysed_profile(std::move(builder).build());
  ASSERT_NE(r, nullptr);
  ASSERT_EQ(r->analysis.counters.kernels.size(), 2U);
  EXPECT_EQ(r->analysis.counters.kernels[0].label, "k [1x1x1 blocks of 32x1x1]");
  EXPECT_EQ(r->analysis.counters.kernels[1].launches.size(), 2U);
}

TEST(KernelCounters, ImpossibleValuesAreFlaggedAndNotUsed) {
  struct Case {
    const char* metric;
    double value;
    testing::Metrics with;
  };
  const std::vector<Case> cases = {
      {"l2_hit_percent", 100.39, {}},
      {"memory_percent", 130, {}},
      {"achieved_occupancy_percent", 101, {}},
      {"dram_read_bytes", -5, {}},
      {"sm_clock_hz", 9e9, {}},
      {"threads_per_instruction", 70, {}},
      {"cycles_elapsed", 1e6, {{"duration_ns", 1e6}, {"sm_clock_hz", 2e9}}},
      {"dram_read_bytes",
       5e6,
       {{"duration_ns", 1000}, {"dram_peak_bytes_per_cycle", 1000}, {"dram_clock_hz", 3e9}}},
  };
  for (const Case& c : cases) {
    testing::Metrics metrics = c.with;
    metrics.emplace_back(c.metric, c.value);
    const auto r = analysed_profile(measured_kernel(metrics));
    ASSERT_NE(r, nullptr);
    const MeasuredKernel& kernel = r->analysis.counters.kernels.at(0);
    EXPECT_FALSE(kernel.value(c.metric)) << c.metric;
    ASSERT_EQ(kernel.flagged.size(), 1U) << c.metric;
    EXPECT_EQ(kernel.flagged[0].metric, c.metric);
    EXPECT_EQ(r->analysis.counters.flagged, 1);
  }
  // At the roof, and what rounding makes of 100 %, is no lie.
  const auto fine = analysed_profile(measured_kernel(
      {{"l2_hit_percent", 100.0}, {"memory_percent", 103}, {"threads_per_instruction", 32}}));
  ASSERT_NE(fine, nullptr);
  EXPECT_EQ(fine->analysis.counters.flagged, 0);
}

TEST(KernelCounters, NothingIsFlaggedInTheLadder) {
  for (const char* page : {"ladder_raw.csv.gz", "ladder_raw_base.csv.gz", "ladder_details.csv.gz",
                           "small.ncu-rep.gz", "small_raw.csv"}) {
    const auto r = testing::analysed(testing::test_data(std::string("h200/ncu/") + page));
    ASSERT_NE(r, nullptr);
    EXPECT_EQ(r->analysis.counters.flagged, 0) << page;
  }
}

TEST(KernelCounters, OperationsOfProductsAreExact) {
  const auto r = testing::analysed(testing::test_data("h200/ncu/ladder_raw_base.csv.gz"));
  ASSERT_NE(r, nullptr);
  int products = 0;
  for (const MeasuredKernel& k : r->analysis.counters.kernels) {
    const bool tensor = k.label.find("sm90_xmma") == 0 || k.label.find("nvjet") == 0;
    const bool vector =
        k.label.find("mm_") == 0 || k.label.find("sm80_xmma") == 0 || k.label.find("void mm_") == 0;
    if (!tensor && !vector) continue;
    ++products;
    const auto flops = measured_flops(k);
    ASSERT_TRUE(flops) << k.label;
    EXPECT_NEAR(*flops / (2.0 * 4096 * 4096 * 4096), 1, 0.02) << k.label;
  }
  EXPECT_EQ(products, 7);
}

TEST(KernelCounters, PublicHitRateAboveAllIsFlagged) {
  ROOFLAB_CASE(path, "public/ncu_csv/gemm_naive.csv");
  const auto r = testing::analysed(path);
  ASSERT_NE(r, nullptr);
  ASSERT_EQ(r->analysis.counters.kernels.size(), 1U);
  const MeasuredKernel& kernel = r->analysis.counters.kernels[0];
  ASSERT_EQ(kernel.flagged.size(), 1U);
  EXPECT_EQ(kernel.flagged[0].metric, "l2_hit_percent");
  EXPECT_DOUBLE_EQ(kernel.flagged[0].value, 100.39);
}

}  // namespace
}  // namespace rooflab::analysis
