// SPDX-License-Identifier: Apache-2.0
// Forward operators inside the backward pass go with their kernels, launches and host time; the
// gradients' own stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "graph/change.h"
#include "support/small_runs.h"

namespace rooflab::graph {
namespace {

struct Made {
  model::Profile profile;
  analysis::Analysis analysis;
  Graph graph;
};

std::unique_ptr<Made> made(bool again) {
  auto out = std::make_unique<Made>();
  out->profile = testing::training_step(again);
  auto analysis = analysis::analyse(out->profile, {}, {});
  if (!analysis) return nullptr;
  out->analysis = std::move(*analysis);
  out->graph = build_graph(out->analysis);
  return out;
}

TEST(NoRecompute, DropsTheRepeatedHalfOnly) {
  const auto m = made(true);
  ASSERT_NE(m, nullptr);
  Scenario s = as_recorded(m->graph);
  const auto applied = find_change("no-recompute")->apply(m->graph, {}, Outlook::kLikely, s);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->count, 3);
  EXPECT_EQ(std::count(s.work_state.begin(), s.work_state.end(), WorkState::kGone), 3);
  EXPECT_EQ(std::count(s.call_ns.begin(), s.call_ns.end(), 0), 3);
  EXPECT_FALSE(applied->assumes.empty());
}

TEST(NoRecompute, FindsNothingWithoutCheckpoints) {
  const auto m = made(false);
  ASSERT_NE(m, nullptr);
  Scenario s = as_recorded(m->graph);
  const auto applied = find_change("no-recompute")->apply(m->graph, {}, Outlook::kLikely, s);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->count, 0);
}

}  // namespace
}  // namespace rooflab::graph
