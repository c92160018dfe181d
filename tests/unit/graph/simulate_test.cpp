// SPDX-License-Identifier: Apache-2.0
// Each kind of edge on a hand-made profile, to the nanosecond: dispatch 100, stream gap 10, copy
// gap 20, node gap 1, across streams 30, return of a wait 40.
#include "graph/simulate.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::TinyTrace;
using rooflab::testing::with_round_latencies;

std::int64_t start_of(const Built& b, const Timing& t, std::string_view name) {
  return t.work_start[b.work(name).row];
}

TEST(Simulate, WorkOnAnIdleStreamStartsAfterItsCallAndTheDispatch) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, with_round_latencies(b->graph));
  EXPECT_EQ(timing.anchor_begin[0], 0);
  EXPECT_EQ(start_of(*b, timing, "a"), 1100);
}

TEST(Simulate, HostTimeBetweenCallsDelaysTheNext) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  t.op(1, 2000, 3000, "aten::mul");
  t.launch(1, 6000, 500, "b", {.start = 9000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  EXPECT_EQ(start_of(*b, simulate(b->graph, s), "b"), 6600);
  for (std::size_t k = 0; k < s.part_ns.size(); ++k) {
    if (b->graph.parts[k].host_class == analysis::HostClass::kFramework) s.part_ns[k] = 1000;
  }
  const Timing edited = simulate(b->graph, s);
  EXPECT_EQ(edited.anchor_begin[1], 4000);
  EXPECT_EQ(start_of(*b, edited, "b"), 4600);
}

TEST(Simulate, WorkOnABusyStreamStartsAfterTheOneBefore) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  t.launch(1, 2000, 500, "b", {.start = 55'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(start_of(*b, simulate(b->graph, with_round_latencies(b->graph)), "b"),
            1100 + 50'000 + 10);
}

TEST(Simulate, ACopyOnABusyStreamWaitsLonger) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  const std::int64_t id = t.launch_call(1, 2000, 500, "cudaMemcpyAsync");
  t.copy({.start = 60'000, .duration = 700}, CopyDirection::kHostToDevice, MemoryKind::kPinned,
         MemoryKind::kDevice, 4096, id);
  t.launch(1, 3000, 500, "c", {.start = 70'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, with_round_latencies(b->graph));
  EXPECT_EQ(start_of(*b, timing, "copy"), 51'100 + 20);
  EXPECT_EQ(start_of(*b, timing, "c"), 51'120 + 700 + 20);
}

TEST(Simulate, NodesOfOneLaunchFollowEachOther) {
  TinyTrace t;
  const std::int64_t id = t.launch_call(1, 0, 1000, "cudaGraphLaunch");
  t.kernel("n0", {.start = 3000, .duration = 200, .graph_node = 0}, id);
  t.kernel("n1", {.start = 3500, .duration = 200, .graph_node = 1}, id);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, with_round_latencies(b->graph));
  EXPECT_EQ(start_of(*b, timing, "n0"), 1100);
  EXPECT_EQ(start_of(*b, timing, "n1"), 1100 + 200 + 1);
}

TEST(Simulate, StreamsRunBesideEachOtherUnlessOneWaits) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 50'000, .stream = 7});
  t.launch(1, 1500, 500, "free", {.start = 4000, .duration = 10, .stream = 8});
  t.launch(1, 2500, 500, "a2", {.start = 60'000, .duration = 5'000, .stream = 7});
  t.call(1, 3100, 100, "cudaStreamWaitEvent");
  t.launch(1, 3500, 500, "waits", {.start = 80'000, .duration = 10, .stream = 9});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, with_round_latencies(b->graph));
  EXPECT_EQ(start_of(*b, timing, "free"), 2100);
  const std::int64_t a2 = 1100 + 50'000 + 10;
  EXPECT_EQ(start_of(*b, timing, "a2"), a2);
  EXPECT_EQ(start_of(*b, timing, "waits"), a2 + 5'000 + 30);
}

TEST(Simulate, AWaitEndsWithItsWork) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  t.call(1, 2000, 56'000, "cudaDeviceSynchronize");  // 2000..58000
  t.launch(1, 59'000, 500, "b", {.start = 61'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  const Timing timing = simulate(b->graph, s);
  const std::int64_t back = 1100 + 50'000 + 40;
  EXPECT_EQ(timing.anchor_begin[2], back + 1000);
  EXPECT_EQ(start_of(*b, timing, "b"), back + 1000 + 500 + 100);
  s.waits[1] = 0;  // returns after its own cost, that of a launch call
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[2], 2000 + s.call_ns[1] + 1000);
}

TEST(Simulate, AWaitForWorkThatEndedLongAgoCostsItsCall) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  t.call(1, 2000, 56'000, "cudaDeviceSynchronize");
  t.launch(1, 59'000, 500, "b", {.start = 61'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  s.work_ns[b->work("a").row] = 10;
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[2], 2000 + s.call_ns[1] + 1000);
}

TEST(Simulate, ABlockingCopyHoldsItsCaller) {
  TinyTrace t;
  const std::int64_t id = t.launch_call(1, 0, 60'000, "cudaMemcpyAsync");
  t.copy({.start = 5000, .duration = 50'000}, CopyDirection::kHostToDevice, MemoryKind::kPageable,
         MemoryKind::kDevice, 1 << 20, id);
  t.launch(1, 61'000, 500, "b", {.start = 65'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, with_round_latencies(b->graph));
  EXPECT_EQ(start_of(*b, timing, "copy"), 5000) << "staged inside the call: no dispatch";
  // From the copy's end the caller still moves 5 us out of the staging buffer.
  EXPECT_EQ(timing.anchor_begin[1], 5000 + 50'000 + 5000 + 1000);
}

TEST(Simulate, AThreadFollowsTheOneThatHandedOver) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 3000, .duration = 10});
  t.op(1, 2000, 98'000, "backward");
  t.op(2, 10'000, 70'000, "autograd");
  t.launch(2, 20'000, 1000, "b", {.start = 23'000, .duration = 10});
  t.launch(1, 105'000, 1000, "c", {.start = 108'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[2], 105'000);
  s.call_ns[1] = 600;  // 400 less on the other thread
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[2], 104'600);
}

TEST(Simulate, WorkThatIsGoneTakesNoTimeAndDelaysNothing) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  t.launch(1, 2000, 500, "b", {.start = 55'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  s.work_state[b->work("a").row] = WorkState::kGone;
  EXPECT_EQ(start_of(*b, simulate(b->graph, s), "b"), 2600);
}

TEST(Simulate, AReplayedNodeFollowsItsStreamWithoutALaunchOfItsOwn) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 50'000});
  t.launch(1, 2000, 500, "b", {.start = 55'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  s.work_state[b->work("b").row] = WorkState::kGraphNode;
  s.replay_gap_ns = 3;
  EXPECT_EQ(start_of(*b, simulate(b->graph, s), "b"), 1100 + 50'000 + 3);
}

TEST(Simulate, HiddenWorkDelaysOnlyItsOwnEngine) {
  TinyTrace t;
  for (int i = 0; i < 2; ++i) {
    const std::int64_t id = t.launch_call(1, i * 2000, 500, "cudaMemcpyAsync");
    t.copy({.start = 10'000 + i * 50'000, .duration = 40'000}, CopyDirection::kHostToDevice,
           MemoryKind::kPinned, MemoryKind::kDevice, 1 << 20, id);
  }
  t.launch(1, 5000, 500, "kernel", {.start = 120'000, .duration = 100});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  s.work_state[0] = s.work_state[1] = WorkState::kHidden;
  const Timing timing = simulate(b->graph, s);
  EXPECT_EQ(start_of(*b, timing, "kernel"), 5600);
  EXPECT_EQ(timing.work_start[0], 600);
  EXPECT_EQ(timing.work_start[1], 600 + 40'000) << "one engine for each direction";
}

// Two copies of 40 us a step cannot be hidden under less than 80 us.
TEST(Simulate, AStepIsNoShorterThanWhatItsHiddenCopiesNeed) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 100'000;
    t.range(1, at, 99'000, "ProfilerStep#" + std::to_string(i));
    t.launch(1, at + 500, 500, "k", {.start = at + 2000, .duration = 100});
    for (int c = 0; c < 2; ++c) {
      const std::int64_t id = t.launch_call(1, at + 2000 + c * 1000, 500, "cudaMemcpyAsync");
      t.copy({.start = at + 10'000 + c * 41'000, .duration = 40'000}, CopyDirection::kHostToDevice,
             MemoryKind::kPinned, MemoryKind::kDevice, 1 << 20, id);
    }
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = with_round_latencies(b->graph);
  ASSERT_EQ(simulate(b->graph, s).steps, 3U);
  for (std::int64_t& part : s.part_ns) part = 0;
  for (std::uint32_t row = 0; row < b->profile.work.size(); ++row) {
    if (b->profile.work.kind[row] == model::WorkKind::kCopy) {
      s.work_state[row] = WorkState::kHidden;
    }
  }
  EXPECT_DOUBLE_EQ(simulate(b->graph, s).step_ns, 80'000);
}

TEST(Simulate, TheStepIsTheMeanDistanceOfItsFirstWorks) {
  TinyTrace t;
  const std::int64_t starts[] = {0, 90'000, 210'000, 300'000};
  for (int i = 0; i < 4; ++i) {
    t.range(1, starts[i], 80'000, "ProfilerStep#" + std::to_string(i));
    t.launch(1, starts[i] + 500, 500, "k", {.start = starts[i] + 2000, .duration = 100});
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Timing timing = simulate(b->graph, as_recorded(b->graph));
  EXPECT_EQ(timing.steps, 3U);
  EXPECT_DOUBLE_EQ(timing.step_ns, 100'000);
  EXPECT_DOUBLE_EQ(recorded_step_ns(b->graph), 100'000);
}

TEST(Simulate, WithoutWorkThereIsNoStep) {
  TinyTrace t;
  t.op(1, 0, 1000, "aten::add");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchor_count(), 0U);
  EXPECT_DOUBLE_EQ(simulate(b->graph, as_recorded(b->graph)).step_ns, 0);
}

}  // namespace
}  // namespace rooflab::graph
