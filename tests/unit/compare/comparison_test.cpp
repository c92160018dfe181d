// SPDX-License-Identifier: Apache-2.0
// Pairs of recordings whose change was measured (tests/data/h200/truth.json).
#include "compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/cases.h"
#include "support/recording.h"

namespace rooflab::compare {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::Recording;
using rooflab::testing::test_data;
using ::testing::HasSubstr;

struct Side {
  explicit Side(const std::string& name)
      : recording(analysed(test_data("h200/" + name + ".json.gz"))),
        graph(graph::build_graph(recording->analysis)),
        predictor(graph, true) {}
  decltype(analysed(std::string())) recording;
  graph::Graph graph;
  graph::Predictor predictor;
};

Comparison compared(const std::string& before, const std::string& after, double least = 0.01) {
  const Side a(before), b(after);
  return compare(a.predictor, b.predictor, least);
}

// Within 15 % of the measured range.
void expect_measured(const Figure& figure, double low, double high) {
  EXPECT_GE(figure.speed_up(), low * 0.85) << to_string(figure.basis);
  EXPECT_LE(figure.speed_up(), high * 1.15) << to_string(figure.basis);
}

TEST(Comparison, PairsGainWhatWasMeasured) {
  const struct {
    const char *before, *after;
    double low, high;
  } pairs[] = {{"gemm_misaligned", "gemm_aligned", 4.6, 4.8},
               {"loader_steady_w0", "loader_steady_w4", 3.0, 4.5},
               {"pairs/copies_coalesced.before", "pairs/copies_coalesced.after", 4.27, 7.25},
               {"pairs/tf32_allowed.before", "pairs/tf32_allowed.after", 7.17, 7.68},
               {"pairs/inference_graphed.before", "pairs/inference_graphed.after", 4.89, 9.2}};
  for (const auto& pair : pairs) {
    SCOPED_TRACE(pair.before);
    const Comparison c = compared(pair.before, pair.after);
    EXPECT_FALSE(c.refused);
    expect_measured(c.deflated, pair.low, pair.high);
    expect_measured(c.recorded, pair.low, pair.high);
  }
}

TEST(Comparison, ARunAgainstItselfDiffersInNothing) {
  const Comparison c = compared("gemm_aligned", "gemm_aligned");
  EXPECT_EQ(c.recorded.change.ratio, 1);
  for (const Part& k : c.kernels) EXPECT_EQ(k.delta_ns(), 0) << k.name;
  for (const Part& o : c.owners) EXPECT_EQ(o.delta_ns(), 0) << o.name;
}

TEST(Comparison, TheSameLoopTwiceIsDecidedOnBusyTime) {
  const Comparison c = compared("aa/a1", "aa/a2", 0.02);
  EXPECT_TRUE(c.recorder_limited);
  EXPECT_EQ(c.basis, Basis::kBusy);
  EXPECT_EQ(c.answer().direction, Direction::kSame);
}

TEST(Comparison, TwoMoreProductsAreFoundAndNamed) {
  const Comparison c = compared("aa/a1", "aa/b1", 0.02);
  EXPECT_EQ(c.basis, Basis::kBusy);
  EXPECT_EQ(c.answer().direction, Direction::kMore);
  EXPECT_GT(c.answer().change.ratio, 1.07);
  EXPECT_LT(c.answer().change.ratio, 1.11);
  EXPECT_TRUE(c.disagree);
  ASSERT_FALSE(c.kernels.empty());
  const Part& most = c.kernels.front();
  EXPECT_THAT(most.name, HasSubstr("nvjet"));
  EXPECT_NEAR(most.count_after - most.count_before, 2, 0.2);
}

TEST(Comparison, WorkersThatStartInsideTheWindowAreRefused) {
  const Comparison c = compared("dataloader_workers0", "dataloader_workers8");
  EXPECT_TRUE(c.refused);
  ASSERT_FALSE(c.doubts.empty());
  EXPECT_THAT(c.doubts.front().text, HasSubstr("steady"));
}

TEST(Comparison, AnotherVendorsDeviceIsSaid) {
  ROOFLAB_CASE(nvidia, "public/tracelens/h100_bert.json.gz");
  ROOFLAB_CASE(amd, "public/tracelens/mi300_bert.json.gz");
  const auto a = analysed(nvidia), b = analysed(amd);
  ASSERT_TRUE(a && b);
  const graph::Graph ga = graph::build_graph(a->analysis), gb = graph::build_graph(b->analysis);
  const Comparison c = compare(graph::Predictor(ga, true), graph::Predictor(gb, true), 0.01);
  const bool said = std::any_of(c.doubts.begin(), c.doubts.end(), [](const Doubt& d) {
    return d.text.find("devices differ") != std::string::npos;
  });
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace rooflab::compare
