// SPDX-License-Identifier: Apache-2.0
#include "graph/gain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/edits.h"
#include "support/built_graph.h"
#include "support/cases.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::TinyTrace;
using ::testing::HasSubstr;

// Four steps of 100 us: 60 us of input, then one kernel.
std::unique_ptr<Built> steps() {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 100'000;
    t.range(1, at, 99'000, "ProfilerStep#" + std::to_string(i));
    t.range(1, at + 1000, 60'000, "load_batch");
    t.launch(1, at + 70'000, 1000, "k", {.start = at + 73'000, .duration = 5000});
  }
  return built(std::move(t));
}

Edit remove_input(const Graph& g) {
  return [&g](Outlook, Scenario& s) -> Result<Applied> {
    Applied out;
    out.count = remove_host(g, {analysis::HostClass::kInput}, {}, s);
    return out;
  };
}

TEST(Gain, IsTheStepBeforeOverTheStepAfter) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  EXPECT_FALSE(predictor.deflation().has_value()) << "a hand-made profile has no recorder";
  EXPECT_TRUE(predictor.suitable());
  EXPECT_DOUBLE_EQ(predictor.reproduction_error(), 0);
  const auto gain = predictor.gain_of(remove_input(b->graph));
  ASSERT_TRUE(gain.has_value());
  EXPECT_DOUBLE_EQ(gain->step_before_ns, 100'000);
  EXPECT_DOUBLE_EQ(gain->step_after_ns, 40'000);
  EXPECT_DOUBLE_EQ(gain->likely, 2.5);
  // Never surer than the model is: the gained part over and times 1.4.
  EXPECT_DOUBLE_EQ(gain->low, 1 + 1.5 / 1.4);
  EXPECT_DOUBLE_EQ(gain->high, 1 + 1.5 * 1.4);
  EXPECT_DOUBLE_EQ(gain->as_recorded, 2.5);
  EXPECT_FALSE(gain->bound);
}

TEST(Gain, OfAnEditThatFindsNothingIsOne) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  const auto gain = predictor.gain_of([](Outlook, Scenario& s) -> Result<Applied> {
    s.part_ns.assign(s.part_ns.size(), 0);  // whatever it did: it says that it changed nothing
    return Applied{};
  });
  ASSERT_TRUE(gain.has_value());
  EXPECT_DOUBLE_EQ(gain->likely, 1);
  EXPECT_DOUBLE_EQ(gain->low, 1);
  EXPECT_DOUBLE_EQ(gain->high, 1);
  EXPECT_DOUBLE_EQ(gain->step_after_ns, gain->step_before_ns);
}

TEST(Gain, TheIntervalIsInOrderWhateverTheOutlooksGive) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  // The least brings more than the most.
  const auto gain = predictor.gain_of([&](Outlook o, Scenario& s) -> Result<Applied> {
    Applied out;
    out.count = 1;
    const std::int64_t left = o == Outlook::kLeast ? 0 : o == Outlook::kLikely ? 30'000 : 50'000;
    for (std::size_t k = 0; k < s.part_ns.size(); ++k) {
      if (b->graph.parts[k].host_class == analysis::HostClass::kInput) s.part_ns[k] = left;
    }
    return out;
  });
  ASSERT_TRUE(gain.has_value());
  EXPECT_LT(gain->low, gain->likely);
  EXPECT_LT(gain->likely, gain->high);
  EXPECT_DOUBLE_EQ(gain->low, 100.0 / 90);
  EXPECT_DOUBLE_EQ(gain->high, 2.5);
}

TEST(Gain, ChangesComposeInOneRun) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  std::vector<Applied> applied;
  const auto both =
      predictor.gain({{"remove-host", {"input"}}, {"remove-host", {"unknown"}}}, &applied);
  ASSERT_TRUE(both.has_value());
  ASSERT_EQ(applied.size(), 2U);
  const auto input = predictor.gain({{"remove-host", {"input"}}});
  const auto unknown = predictor.gain({{"remove-host", {"unknown"}}});
  ASSERT_TRUE(input && unknown);
  EXPECT_DOUBLE_EQ(input->step_after_ns, 40'000);
  EXPECT_DOUBLE_EQ(unknown->step_after_ns, 61'000);
  EXPECT_DOUBLE_EQ(both->step_after_ns, 5'000 + b->graph.latencies.stream_gap)
      << "then the device has no pause";
}

TEST(Gain, ABoundStaysABoundInACompany) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  const auto gain = predictor.gain({{"remove-host", {"unknown"}}, {"feed-loader", {}}});
  ASSERT_TRUE(gain.has_value());
  EXPECT_TRUE(gain->bound);
}

TEST(Gain, RefusesWhatIsNoChange) {
  const auto b = steps();
  ASSERT_TRUE(b);
  const Predictor predictor(b->graph, true);
  const auto gain = predictor.gain({{"make-it-fast", {}}});
  ASSERT_FALSE(gain.has_value());
  EXPECT_EQ(gain.error().code, ErrorCode::kUsage);
  EXPECT_THAT(gain.error().message, HasSubstr("make-it-fast"));
}

TEST(Gain, OfARecordingIsAnIntervalAndDeflated) {
  const auto r = analysed(rooflab::testing::test_data("h200/launch_bound.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  const Predictor deflated(g, true), recorded(g, false);
  ASSERT_TRUE(deflated.deflation().has_value());
  EXPECT_FALSE(recorded.deflation().has_value());
  // The host as it was under the recorder takes longer than without it.
  EXPECT_LT(deflated.step_ns(Outlook::kLeast), deflated.step_ns(Outlook::kLikely));
  EXPECT_LT(deflated.step_ns(Outlook::kLikely), deflated.step_ns(Outlook::kMost));
  EXPECT_LT(deflated.step_ns(Outlook::kMost), recorded.step_ns(Outlook::kLikely));
  const auto with = deflated.gain({{"graph-launches", {}}});
  const auto without = recorded.gain({{"graph-launches", {}}});
  ASSERT_TRUE(with && without);
  EXPECT_LT(with->low, with->likely);
  EXPECT_LT(with->likely, with->high);
  EXPECT_LT(with->likely, without->likely);
  EXPECT_DOUBLE_EQ(with->as_recorded, without->likely);
}

}  // namespace
}  // namespace rooflab::graph
