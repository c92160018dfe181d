// SPDX-License-Identifier: Apache-2.0
// Changes of kernels on recordings whose remedy was measured (tests/data/h200/truth.json), and on
// scenarios that must stay as they are.
#include <gtest/gtest.h>

#include "graph/gain.h"
#include "graph/kernel_edits.h"
#include "support/cases.h"
#include "support/recording.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::test_data;

Gain gain_of(const char* file, const ChangeCall& call) {
  const auto recording = analysed(test_data(file));
  if (recording == nullptr) return {};
  const Graph graph = build_graph(recording->analysis);
  const auto gain = Predictor(graph, true).gain({call});
  EXPECT_TRUE(gain.has_value()) << (gain ? "" : gain.error().message);
  return gain ? *gain : Gain{};
}

// The interval reaches the measured range, and the likely gain is within a quarter of it.
void expect_near(const Gain& gain, double measured_low, double measured_high) {
  EXPECT_LE(gain.low, measured_high);
  EXPECT_GE(gain.high, measured_low);
  EXPECT_GE(gain.likely, measured_low * 0.75);
  EXPECT_LE(gain.likely, measured_high * 1.25);
}

TEST(KernelChanges, PaddingGainsWhatWasMeasured) {
  expect_near(gain_of("h200/gemm_misaligned.json.gz", {"align-gemm", {}}), 4.6, 4.8);
  EXPECT_EQ(gain_of("h200/gemm_aligned.json.gz", {"align-gemm", {}}).likely, 1);
}

TEST(KernelChanges, MatrixUnitsGainWhatWasMeasured) {
  expect_near(gain_of("h200/pairs/tf32_allowed.before.json.gz", {"tensor-cores", {}}), 7.17, 7.68);
}

TEST(KernelChanges, FusionGainsWhatWasMeasured) {
  expect_near(gain_of("h200/elementwise_memory_bound.json.gz", {"fuse", {}}), 4.8, 5.3);
}

TEST(KernelChanges, OneAttentionKernelGainsWhatWasMeasured) {
  const Gain causal =
      gain_of("h200/blind_b/causal_attention_by_hand.before.json.gz", {"fused-attention", {}});
  expect_near(causal, 4.93, 5.29);
  const Gain whole =
      gain_of("h200/blind/attention_unfused.before.json.gz", {"fused-attention", {}});
  expect_near(whole, 4.39, 4.75);
}

TEST(KernelChanges, HealthyRecordingsGainLittle) {
  for (const char* file : {"h200/transformer_healthy.json.gz", "h200/healthy_gemm_chain.json.gz",
                           "h200/healthy_inference_large_batch.json.gz"}) {
    for (const char* change :
         {"align-gemm", "tensor-cores", "new-kernels", "fill-device", "fuse", "fused-attention",
          "fused-optimizer", "channels-last", "remove-casts"}) {
      EXPECT_LT(gain_of(file, {change, {}}).likely, 1.15) << file << " " << change;
    }
  }
}

TEST(KernelChanges, AFasterKernelIsFaster) {
  const Gain twice = gain_of("h200/healthy_gemm_chain.json.gz", {"speed-up", {"nvjet", "2"}});
  EXPECT_GT(twice.likely, 1.7);
  EXPECT_LE(twice.likely, 2.01);
  EXPECT_EQ(gain_of("h200/healthy_gemm_chain.json.gz", {"speed-up", {"no such", "2"}}).likely, 1);
}

TEST(KernelChanges, BatchingSharesTheHost) {
  const Gain gain = gain_of("h200/pairs/inference_graphed.before.json.gz", {"batch", {"8"}});
  EXPECT_GT(gain.likely, 4);
  EXPECT_LE(gain.likely, 8.01);
}

TEST(KernelChanges, RefuseArgumentsThatDoNotFit) {
  const auto recording = analysed(test_data("h200/gemm_aligned.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const Graph graph = build_graph(recording->analysis);
  const auto refused = [&](const char* name, const std::vector<std::string>& arguments) {
    Scenario scenario = as_recorded(graph);
    const Change* const change = find_change(name);
    return change != nullptr &&
           !change->apply(graph, arguments, Outlook::kLikely, scenario).has_value();
  };
  EXPECT_TRUE(refused("fuse", {"x"}));
  EXPECT_TRUE(refused("batch", {}));
  EXPECT_TRUE(refused("batch", {"1"}));
  EXPECT_TRUE(refused("batch", {"2.5"}));
  EXPECT_TRUE(refused("batch", {"-8"}));
  EXPECT_TRUE(refused("speed-up", {"(", "2"}));
  EXPECT_TRUE(refused("speed-up", {"gemm", "0"}));
  EXPECT_TRUE(refused("speed-up", {"gemm"}));
}

TEST(KernelChanges, AWorkIsRemovedWithItsLaunch) {
  const auto recording = analysed(test_data("h200/launch_bound.json.gz"));
  ASSERT_TRUE(recording != nullptr);
  const Graph graph = build_graph(recording->analysis);
  Scenario scenario = as_recorded(graph);
  const model::WorkId work(100U);
  const std::uint32_t anchor = graph.anchor_of_work[work.row];
  ASSERT_GT(scenario.call_ns[anchor], 0);
  remove_work(graph, scenario, work, Outlook::kLikely);
  EXPECT_EQ(scenario.call_ns[anchor], 0);
  EXPECT_FALSE(is_there(scenario, work));
  EXPECT_FALSE(shorten(scenario, work, 0));  // gone already
}

// tests/data/h200/blind/truth.json, which these changes were mended by.
TEST(KernelChanges, ChannelsLastGainsWhatWasMeasured) {
  const Gain gain = gain_of("h200/blind/channels_last.before.json.gz", {"channels-last", {}});
  EXPECT_LE(gain.low, 2.59);
  EXPECT_GE(gain.high, 2.58);
}

TEST(KernelChanges, FusingNormsGainsWhatWasMeasured) {
  expect_near(gain_of("h200/blind/layernorm_unfused.before.json.gz", {"fuse", {}}), 5.89, 5.92);
}

TEST(KernelChanges, BatchingSplitProductsGainsWhatWasMeasured) {
  // The host of this recording is far slower than without a recorder, more than is taken off: only
  // the least is near what was measured.
  const Gain gain = gain_of("h200/blind/few_tiles.before.json.gz", {"fill-device", {}});
  EXPECT_LE(gain.low, 4.45);
  EXPECT_GE(gain.low, 2.5);
  EXPECT_GE(gain.high, 3.79);
}

}  // namespace
}  // namespace rooflab::graph
