// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_faults.h"

#include <gtest/gtest.h>

#include "analysis/batch_time.h"
#include "support/cases.h"
#include "support/recording.h"

namespace rooflab::analysis {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::test_data;

TEST(KernelTime, FillsInRounds) {
  EXPECT_DOUBLE_EQ(fill_ratio(132, 132), 1);
  EXPECT_DOUBLE_EQ(fill_ratio(133, 132), 133.0 / 264);
  EXPECT_DOUBLE_EQ(fill_ratio(16, 128), 0.125);
  EXPECT_DOUBLE_EQ(fill_ratio(0, 128), 1);
}

TEST(KernelTime, AProductIsBoundByItsSlowerRoof) {
  hw::DeviceEntry device;
  device.memory_bandwidth.value = 1e12;
  const KernelCeilings ceilings;
  const TimeRange compute =
      product_time(device, ceilings, ceilings.matrix_product, 1e15, 1e12, 1e6, {}, -1);
  EXPECT_NEAR(compute.likely, 1e6 / ceilings.matrix_product.likely, 1);
  EXPECT_GT(compute.longest, compute.likely);
  EXPECT_LT(compute.shortest, compute.likely);
  const TimeRange memory =
      product_time(device, ceilings, ceilings.matrix_product, 1e15, 1e9, 1e9, {}, -1);
  EXPECT_NEAR(memory.likely, 1e6 / ceilings.streaming.likely, 1);
}

TEST(KernelFaults, PricesAlignedProductsOnAnH200) {
  const auto recording = analysed(test_data("h200/gemm_misaligned.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const std::vector<SlowWork>& found = recording->analysis.faults.misaligned;
  ASSERT_EQ(found.size(), 6U);
  // The padded product takes 178 us in tests/data/h200/gemm_aligned.
  EXPECT_LT(found[0].then.shortest, 178e3);
  EXPECT_GT(found[0].then.longest, 178e3);
  EXPECT_NEAR(found[0].then.likely, 178e3, 0.1 * 178e3);
  const auto aligned = analysed(test_data("h200/gemm_aligned.json.gz"));
  ASSERT_TRUE(aligned != nullptr);
  EXPECT_TRUE(aligned->analysis.faults.misaligned.empty());
}

TEST(KernelFaults, PricesMatrixUnitsForSingles) {
  const auto recording = analysed(test_data("h200/pairs/tf32_allowed.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const std::vector<SlowWork>& found = recording->analysis.faults.vector_products;
  ASSERT_EQ(found.size(), 6U);
  // 337 us in the recording with tf32 allowed.
  EXPECT_LT(found[0].then.shortest, 337e3);
  EXPECT_GT(found[0].then.longest, 337e3);
}

TEST(KernelFaults, FindsOneChainAStep) {
  const auto recording = analysed(test_data("h200/elementwise_memory_bound.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const WorkRuns& chains = recording->analysis.faults.elementwise;
  ASSERT_EQ(chains.runs.size(), 6U);
  constexpr double kTensor = 134217728.0 * 4;
  constexpr double kScalars = 2 * 8;  // the summand and the last factor
  for (const WorkRun& run : chains.runs) {
    EXPECT_EQ(run.count, 5U);
    EXPECT_DOUBLE_EQ(run.bytes_now, 11 * kTensor + kScalars);
    // The input, the result, and half of the product's second operand, which may be the input.
    EXPECT_DOUBLE_EQ(run.bytes_then, 2.5 * kTensor + kScalars);
  }
}

TEST(KernelFaults, FindsWrittenOutAttention) {
  ROOFLAB_CASE(path, "public/tracelens/h100_timesformer.json.gz");
  const auto recording = analysed(path);
  ASSERT_TRUE(recording != nullptr);
  const KernelFaults& faults = recording->analysis.faults;
  std::size_t spatial = 0;
  for (const WorkRun& run : faults.attention.runs) {
    if (run.ns_now > 9'000'000) ++spatial;
  }
  EXPECT_EQ(spatial, 12U);  // one for each layer
}

TEST(KernelFaults, AttentionTakesItsMaskAndItsCopiesAlong) {
  const auto recording =
      analysed(test_data("h200/blind_b/causal_attention_by_hand.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const model::WorkTable& work = recording->profile.work;
  const WorkRuns& attention = recording->analysis.faults.attention;
  ASSERT_EQ(attention.runs.size(), 18U);  // three layers, six steps
  for (const WorkRun& run : attention.runs) {
    // Two products and their counters, scale, copy and mask of the scores, softmax; queries, keys,
    // values and the result into other layouts.
    EXPECT_EQ(run.count, 12U);
    std::int64_t copies = 0;
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
      copies += work.kind[attention.works[k].row] == model::WorkKind::kCopy ? 1 : 0;
    }
    EXPECT_EQ(copies, 1);
    // Half of 4 * 128 * 2048 * 2048 * 128 FLOPs at 0.45 of 989 TFLOP/s; the least does all of them
    // and keeps the four layout copies of 0.5 ms.
    EXPECT_NEAR(run.then.likely, 137.4e9 / 0.45 / 989e3, 1e3);
    EXPECT_GT(run.then.longest, 2 * 137.4e9 / 0.3 / 989e3 + 450e3);
  }
}

TEST(KernelFaults, HealthyRecordingsHaveNoSlowProducts) {
  for (const char* file : {"h200/transformer_healthy.json.gz", "h200/healthy_gemm_chain.json.gz",
                           "h200/healthy_inference_large_batch.json.gz"}) {
    const auto recording = analysed(test_data(file));
    ASSERT_TRUE(recording != nullptr);
    const KernelFaults& faults = recording->analysis.faults;
    EXPECT_TRUE(faults.misaligned.empty()) << file;
    EXPECT_TRUE(faults.vector_products.empty()) << file;
    EXPECT_TRUE(faults.old_path.empty()) << file;
    EXPECT_TRUE(faults.attention.runs.empty()) << file;
    EXPECT_TRUE(faults.optimizer.runs.empty()) << file;
    EXPECT_TRUE(faults.batchable.runs.empty()) << file;
  }
}

TEST(BatchTime, WeightsAreReadOnceAndNothingIsFree) {
  const auto recording = analysed(test_data("h200/pairs/inference_graphed.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const auto times = batched_times(recording->analysis, 8);
  ASSERT_EQ(times.size(), recording->profile.work.size());
  double now = 0;
  double then = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto ns = static_cast<double>(recording->profile.work.duration[i]);
    EXPECT_GE(times[i].shortest, ns * 0.999);
    EXPECT_LE(times[i].longest, ns * 8.001);
    now += ns;
    then += times[i].likely;
  }
  EXPECT_LT(then, 3 * now);  // small products: eight items take far less than eight times
}

TEST(KernelFaults, AChainHoldsOneNormalisation) {
  const auto recording = analysed(test_data("h200/blind/layernorm_unfused.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const WorkRuns& chains = recording->analysis.faults.elementwise;
  ASSERT_EQ(chains.runs.size(), 12U);  // two in each of six steps
  constexpr double kTensor = 32768.0 * 4096 * 4;
  for (const WorkRun& run : chains.runs) {
    EXPECT_EQ(run.count, 9U);
    // The input, the result, and half of the square's second operand, which may be new; the rest is
    // scale, shift and scalars.
    EXPECT_NEAR(run.bytes_then, 2.5 * kTensor, 1e-3 * kTensor);
    // A library's layer normalisation takes 350 us.
    EXPECT_LT(run.then.shortest, 350e3);
    EXPECT_GT(run.then.longest, 350e3);
  }
}

TEST(KernelFaults, NormalisesOneChannelToABlockOnlyInTheFirstLayout) {
  const auto recording = analysed(test_data("h200/blind/channels_last.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const std::vector<SlowWork>& norms = recording->analysis.faults.channel_norms;
  ASSERT_EQ(norms.size(), 6U * 9 * 3);  // statistics, transform and backward of nine layers
  for (const SlowWork& norm : norms) {
    const auto now = static_cast<double>(recording->profile.work.duration[norm.work.row]);
    EXPECT_GE(norm.then.longest, now / 2);  // the least: half of the saving
    EXPECT_LT(norm.then.likely, 0.8 * now);
  }
  const auto healthy =
      analysed(test_data("h200/healthy/conv_training_channels_last_compiled.json.gz"));
  ASSERT_TRUE(healthy != nullptr);
  EXPECT_TRUE(healthy->analysis.faults.channel_norms.empty());
}

TEST(KernelFaults, BatchesSplitProductsWithTheirSums) {
  const auto recording = analysed(test_data("h200/blind/few_tiles.before.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const KernelFaults& faults = recording->analysis.faults;
  ASSERT_EQ(faults.batchable.runs.size(), 6U);
  for (const WorkRun& run : faults.batchable.runs) {
    EXPECT_EQ(run.count, 96U);            // 48 products, 48 sums of their parts
    EXPECT_LT(run.then.shortest, 201e3);  // one batched product, measured with its launch
    EXPECT_GT(run.then.longest, 201e3);
  }
  ASSERT_EQ(faults.few_tiles.size(), 288U);
  EXPECT_EQ(faults.few_tiles.front().blocks, 9);
  EXPECT_TRUE(faults.few_tiles.front().split);
  EXPECT_GT(faults.few_tiles.front().more_ns, 0);
}

}  // namespace
}  // namespace rooflab::analysis
