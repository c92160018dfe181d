// SPDX-License-Identifier: Apache-2.0
// Small kernels in a row: as many at once as fit and as the outlook grants, and never shorter than
// the roof allows.
#include <gtest/gtest.h>

#include <memory>

#include "graph/change.h"
#include "support/small_runs.h"

namespace rooflab::graph {
namespace {

using testing::small_kernels_in_a_row;
using testing::SmallKernels;

struct Made {
  model::Profile profile;
  analysis::Analysis analysis;
  Graph graph;
};

std::unique_ptr<Made> made(const SmallKernels& spec) {
  auto out = std::make_unique<Made>();
  out->profile = small_kernels_in_a_row(spec);
  auto analysis = analysis::analyse(out->profile, {}, {});
  if (!analysis) return nullptr;
  out->analysis = std::move(*analysis);
  out->graph = build_graph(out->analysis);
  return out;
}

std::int64_t total(const Scenario& s) {
  std::int64_t sum = 0;
  for (const std::int64_t ns : s.work_ns) sum += ns;
  return sum;
}

TEST(ConcurrentStreams, TwoFourOrAllThatFitAtOnce) {
  const auto m = made({.count = 8, .blocks = 10, .duration = 48'000});
  ASSERT_NE(m, nullptr);
  const Change* const change = find_change("concurrent-streams");
  ASSERT_NE(change, nullptr);
  const auto after = [&](Outlook outlook) {
    Scenario s = as_recorded(m->graph);
    const auto applied = change->apply(m->graph, {}, outlook, s);
    EXPECT_TRUE(applied && applied->count == 8 && applied->bound);
    return total(s);
  };
  EXPECT_EQ(after(Outlook::kLeast), 4 * 48'000);
  EXPECT_EQ(after(Outlook::kLikely), 2 * 48'000);
  EXPECT_EQ(after(Outlook::kMost), 48'000);  // ten fit, eight are there
}

TEST(ConcurrentStreams, KernelsThatFillTheDeviceStay) {
  const auto m = made({.blocks = 60});
  ASSERT_NE(m, nullptr);
  Scenario s = as_recorded(m->graph);
  const auto applied = find_change("concurrent-streams")->apply(m->graph, {}, Outlook::kMost, s);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->count, 0);
  EXPECT_EQ(total(s), 8 * 50'000);
}

TEST(ConcurrentStreams, RefusesArguments) {
  const auto m = made({});
  ASSERT_NE(m, nullptr);
  Scenario s = as_recorded(m->graph);
  EXPECT_FALSE(find_change("concurrent-streams")->apply(m->graph, {"4"}, Outlook::kLikely, s));
}

}  // namespace
}  // namespace rooflab::graph
