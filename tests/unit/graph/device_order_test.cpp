// SPDX-License-Identifier: Apache-2.0
#include "graph/device_order.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::built;
using rooflab::testing::TinyTrace;

TEST(DeviceOrder, WorkBelongsToTheCallThatLaunchedIt) {
  TinyTrace t;
  t.launch(1, 0, 1000, "first", {.start = 3000, .duration = 10});
  t.launch(1, 2000, 1000, "second", {.start = 4000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchor_of_work[b->work("first").row], 0U);
  EXPECT_EQ(b->graph.anchor_of_work[b->work("second").row], 1U);
}

TEST(DeviceOrder, WorkWithoutALaunchRecordHasAnAnchorAtItsStart) {
  TinyTrace t;
  t.launch(1, 0, 1000, "first", {.start = 3000, .duration = 10});
  t.kernel("lost", {.start = 6000, .duration = 10});
  t.launch(1, 9000, 1000, "last", {.start = 12'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Graph& g = b->graph;
  ASSERT_EQ(g.anchor_count(), 3U);
  const std::uint32_t at = g.anchor_of_work[b->work("lost").row];
  ASSERT_EQ(at, 1U);
  EXPECT_FALSE(g.anchors[1].span.valid());
  EXPECT_EQ(g.anchors[1].begin, 6000);
  EXPECT_EQ(g.anchors[1].after, 0U);
  EXPECT_EQ(g.anchors[2].after, 0U) << "the thread's own order is not broken";
  EXPECT_EQ(g.anchor_of_work[b->work("last").row], 2U);
}

TEST(DeviceOrder, ASynchronisingCallWaitsForTheLastWorkThatEndedInIt) {
  TinyTrace t;
  t.launch(1, 0, 1000, "first", {.start = 2000, .duration = 20'000});
  t.launch(1, 1500, 1000, "second", {.start = 23'000, .duration = 7'000});
  t.call(1, 3000, 30'000, "cudaDeviceSynchronize");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Anchor& a = b->graph.anchors[2];
  EXPECT_EQ(a.wait, Wait::kWork);
  EXPECT_EQ(a.target, b->work("second"));
}

TEST(DeviceOrder, ACallAfterAllWorkHasEndedWaitsForNothing) {
  TinyTrace t;
  t.launch(1, 0, 1000, "first", {.start = 2000, .duration = 2'000});
  t.call(1, 30'000, 3'000, "cudaDeviceSynchronize");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 2U);
  EXPECT_EQ(b->graph.anchors[1].wait, Wait::kNone);
}

TEST(DeviceOrder, ACopyThatEndsInItsCallBlocksIt) {
  TinyTrace t;
  const std::int64_t id = t.launch_call(1, 0, 50'000, "cudaMemcpyAsync");
  t.copy({.start = 4000, .duration = 40'000}, CopyDirection::kHostToDevice, MemoryKind::kPageable,
         MemoryKind::kDevice, 1 << 20, id);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchors[0].wait, Wait::kOwnWork);
  EXPECT_EQ(b->graph.anchors[0].issue_ns, 4000);
}

TEST(DeviceOrder, ACopyThatStartsAfterItsCallDoesNot) {
  TinyTrace t;
  const std::int64_t id = t.launch_call(1, 0, 5'000, "cudaMemcpyAsync");
  t.copy({.start = 7000, .duration = 40'000}, CopyDirection::kHostToDevice, MemoryKind::kPinned,
         MemoryKind::kDevice, 1 << 20, id);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchors[0].wait, Wait::kNone);
  EXPECT_EQ(b->graph.anchors[0].issue_ns, 5000);
}

TEST(DeviceOrder, AKernelThatStartsLongBeforeItsCallEndsWasHandedOverThere) {
  TinyTrace t;
  t.launch(1, 0, 40'000, "graph", {.start = 15'000, .duration = 100'000});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchors[0].issue_ns, 15'000);
  EXPECT_EQ(b->graph.anchors[0].wait, Wait::kNone);
}

TEST(DeviceOrder, AStreamThatWasToldToWaitDependsOnTheWorkBefore) {
  TinyTrace t;
  t.launch(1, 0, 1000, "producer", {.start = 2000, .duration = 50'000, .stream = 7});
  t.call(1, 2000, 500, "cudaStreamWaitEvent");
  t.launch(1, 3000, 1000, "consumer", {.start = 80'000, .duration = 10, .stream = 9});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.depends_on[b->work("consumer").row], b->work("producer"));
  EXPECT_FALSE(b->graph.depends_on[b->work("producer").row].valid());
}

TEST(DeviceOrder, WorkThatStartsWhenAnotherStreamsWorkEndsDependsOnIt) {
  TinyTrace t;
  t.launch(1, 0, 1000, "producer", {.start = 2000, .duration = 50'000, .stream = 7});
  t.launch(1, 3000, 1000, "consumer", {.start = 54'000, .duration = 10, .stream = 9});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.depends_on[b->work("consumer").row], b->work("producer"));
}

TEST(DeviceOrder, WorkThatItsLaunchExplainsDependsOnNothing) {
  TinyTrace t;
  t.launch(1, 0, 1000, "long", {.start = 2000, .duration = 2'000, .stream = 7});
  t.launch(1, 3000, 1000, "other", {.start = 5'500, .duration = 10, .stream = 9});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_FALSE(b->graph.depends_on[b->work("other").row].valid());
}

TEST(DeviceOrder, WorkOnAnotherDeviceIsNoCause) {
  TinyTrace t;
  t.launch(1, 0, 1000, "producer", {.start = 2000, .duration = 50'000, .stream = 7, .device = 0});
  t.launch(1, 3000, 1000, "consumer", {.start = 54'000, .duration = 10, .stream = 9, .device = 1});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_FALSE(b->graph.depends_on[b->work("consumer").row].valid());
}

TEST(DeviceOrder, StepsStartWithTheFirstWorkOfEachUnit) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 100'000;
    t.range(1, at, 90'000, "ProfilerStep#" + std::to_string(i));
    t.launch(1, at + 1000, 1000, "a", {.start = at + 4000, .duration = 10});
    t.launch(1, at + 9000, 1000, "b", {.start = at + 12'000, .duration = 10});
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.unit_starts.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(b->profile.work.start[b->graph.unit_starts[i].row],
              static_cast<std::int64_t>(i) * 100'000 + 4000);
  }
  EXPECT_DOUBLE_EQ(recorded_step_ns(b->graph), 100'000);
}

TEST(DeviceOrder, WithoutUnitsAStepIsAllOfTheWindowsWork) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 100});
  t.launch(1, 9000, 1000, "b", {.start = 12'000, .duration = 500});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.unit_starts.size(), 1U);
  EXPECT_DOUBLE_EQ(recorded_step_ns(b->graph), 8'500);
}

}  // namespace
}  // namespace rooflab::graph
