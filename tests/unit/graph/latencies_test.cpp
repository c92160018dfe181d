// SPDX-License-Identifier: Apache-2.0
#include "graph/latencies.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::built;
using rooflab::testing::TinyTrace;

TEST(Latencies, DispatchIsTheMeanWithoutTheOuterTenths) {
  TinyTrace t;
  // 1001 ... 1008 and two far out: the lowest and the highest of ten are left out.
  const std::int64_t delays[] = {1, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 9000};
  std::int64_t at = 0;
  for (const std::int64_t delay : delays) {
    t.launch(1, at, 1000, "k", {.start = at + 1000 + delay, .duration = 10});
    at += 100'000;
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.dispatch, (1001 + 1008) / 2.0);
}

TEST(Latencies, AGapOnABusyStreamCountsOnlyWhereTheLaunchCameLongBefore) {
  TinyTrace t;
  t.launch(1, 0, 1000, "long", {.start = 2000, .duration = 100'000});
  t.launch(1, 1500, 1000, "ahead", {.start = 102'900, .duration = 50'000});  // gap 900
  t.launch(1, 150'000, 1000, "late", {.start = 157'000, .duration = 100});   // launched too late
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.stream_gap, 900);
}

TEST(Latencies, CopiesHaveAGapOfTheirOwn) {
  TinyTrace t;
  t.launch(1, 0, 1000, "long", {.start = 2000, .duration = 100'000});
  const std::int64_t id = t.launch_call(1, 1500, 1000, "cudaMemcpyAsync");
  t.copy({.start = 103'700, .duration = 50'000}, CopyDirection::kHostToDevice, MemoryKind::kPinned,
         MemoryKind::kDevice, 1 << 20, id);                               // gap 1700
  t.launch(1, 3000, 1000, "after", {.start = 155'400, .duration = 100});  // gap 1700
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.copy_gap, 1700);
}

TEST(Latencies, NodesOfOneGraphLaunchHaveAGapOfTheirOwn) {
  TinyTrace t;
  const std::int64_t id = t.launch_call(1, 0, 1000, "cudaGraphLaunch");
  for (int i = 0; i < 5; ++i) {
    t.kernel("node", {.start = 3000 + i * 1100, .duration = 1000, .graph_node = i}, id);
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.node_gap, 100);
}

TEST(Latencies, AWaitReturnsALittleAfterTheWork) {
  TinyTrace t;
  t.launch(1, 0, 1000, "k", {.start = 2000, .duration = 30'000});
  t.call(1, 2000, 35'000, "cudaDeviceSynchronize");  // ends 37000, work ended 32000
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.wait_return, 5000);
}

TEST(Latencies, AFileThatShowsALatencyNowhereGetsTheUsualOne) {
  TinyTrace t;
  t.launch(1, 0, 1000, "k", {.start = 2000, .duration = 30'000});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_DOUBLE_EQ(b->graph.latencies.dispatch, 1000) << "measured";
  EXPECT_GT(b->graph.latencies.stream_gap, 0);
  EXPECT_GT(b->graph.latencies.copy_gap, 0);
  EXPECT_GT(b->graph.latencies.node_gap, 0);
  EXPECT_GT(b->graph.latencies.cross_gap, 0);
  EXPECT_GT(b->graph.latencies.wait_return, 0);
}

TEST(Latencies, TheMedianLaunchCallIsOfKernelLaunchesThatDoNotWait) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 10});
  t.launch(1, 10'000, 3000, "b", {.start = 14'000, .duration = 10});
  t.launch(1, 20'000, 5000, "c", {.start = 26'000, .duration = 10});
  const std::int64_t id = t.launch_call(1, 30'000, 90'000, "cudaMemcpyAsync");
  t.copy({.start = 130'000, .duration = 50'000}, CopyDirection::kHostToDevice, MemoryKind::kPinned,
         MemoryKind::kDevice, 1 << 20, id);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.launch_call_median_ns, 3000);
}

}  // namespace
}  // namespace rooflab::graph
