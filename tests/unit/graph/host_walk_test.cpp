// SPDX-License-Identifier: Apache-2.0
#include "graph/host_walk.h"

#include <gtest/gtest.h>

#include <numeric>

#include "graph/host_order.h"
#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using analysis::HostClass;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::kElementwise;
using rooflab::testing::TinyTrace;

// The parts before anchor `i`.
std::vector<HostPart> parts_before(const Graph& g, std::size_t i) {
  return {g.parts.begin() + static_cast<std::ptrdiff_t>(g.anchors[i].first_part),
          g.parts.begin() + static_cast<std::ptrdiff_t>(g.anchors[i + 1].first_part)};
}

std::int64_t sum(const std::vector<HostPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                         [](std::int64_t a, const HostPart& p) { return a + p.ns; });
}

TEST(HostWalk, TimeBetweenTwoCallsIsDividedByWhatTheThreadDid) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 2000, 3000, "aten::add");       // 2000..5000
  t.range(1, 6000, 1000, "log_metrics");  // 6000..7000
  t.launch(1, 8000, 1000, kElementwise, {.start = 9500, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 2U);
  const std::vector<HostPart> parts = parts_before(b->graph, 1);
  ASSERT_EQ(parts.size(), 5U);
  const HostClass classes[] = {HostClass::kUnknown, HostClass::kFramework, HostClass::kUnknown,
                               HostClass::kRange, HostClass::kUnknown};
  const std::int64_t ns[] = {1000, 3000, 1000, 1000, 1000};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(parts[i].host_class, classes[i]) << i;
    EXPECT_EQ(parts[i].ns, ns[i]) << i;
  }
  EXPECT_EQ(b->profile.span_name(parts[3].cause), "log_metrics");
  EXPECT_FALSE(parts[0].cause.valid());
}

TEST(HostWalk, WhatComesAfterTheLastCallIsBeforeNoCall) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.launch(1, 8000, 1000, kElementwise, {.start = 9500, .duration = 10});
  t.range(1, 10'000, 500'000, "sleep");
  t.range(1, 600'000, 1000, "print");
  t.range(1, 700'000, 1000, "exit");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 2U);
  EXPECT_EQ(sum(parts_before(b->graph, 1)), 7000);
}

TEST(HostWalk, EveryRecordBetweenTwoCallsIsCountedOnce) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 2000, 3000, "aten::add");
  t.op(1, 2500, 500, "aten::empty");
  t.call(1, 2600, 100, "cudaGetDevice");
  t.op(1, 6000, 1000, "aten::mul");
  t.launch(1, 6100, 500, kElementwise, {.start = 9500, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  std::uint32_t records = 0;
  for (const HostPart& p : parts_before(b->graph, 1)) records += p.records;
  EXPECT_EQ(records, 4U);
  EXPECT_EQ(sum(parts_before(b->graph, 1)), 5100);
}

TEST(HostWalk, TheTimeBetweenCallsIsKeptToTheNanosecond) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 1000, 70'001, "aten::slow");
  t.op(1, 1003, 7, "aten::inner");
  t.launch(1, 90'000, 500, kElementwise, {.start = 95'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(sum(parts_before(b->graph, 1)), 89'000);
}

TEST(HostWalk, OnlyALongStretchWithoutABeginOrAnEndIsQuiet) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 20'000, 5'000, "aten::short");  // 19 us of silence before it
  t.op(1, 60'000, 5'000, "aten::later");  // 35 us of silence before it
  t.launch(1, 66'000, 500, kElementwise, {.start = 95'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  std::vector<std::int64_t> quiet;
  for (const HostPart& p : parts_before(b->graph, 1)) {
    if (p.quiet) quiet.push_back(p.ns);
  }
  EXPECT_EQ(quiet, std::vector<std::int64_t>{35'000});
}

TEST(HostWalk, ACallInsideALaunchCallBelongsToIt) {
  TinyTrace t;
  const std::int64_t outer = t.launch_call(1, 0, 2000, "cudaLaunchKernel");
  const std::int64_t inner = t.launch_call(1, 500, 1000, "cuLaunchKernel");
  t.kernel(kElementwise, {.start = 3000, .duration = 10}, outer);
  t.kernel(kElementwise, {.start = 3100, .duration = 10}, inner);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 1U);
  EXPECT_EQ(b->graph.anchors[1].first_work - b->graph.anchors[0].first_work, 2U);
}

TEST(HostWalk, TheRecordersOwnWorkIsAPartOfItsOwn) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.span(1, 2000, 4000, "Activity Buffer Request", model::SpanKind::kOverhead);
  t.launch(1, 8000, 1000, kElementwise, {.start = 9500, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  std::int64_t recorder = 0;
  for (const HostPart& p : parts_before(b->graph, 1)) recorder += p.recorder ? p.ns : 0;
  EXPECT_EQ(recorder, 4000);
  EXPECT_EQ(sum(parts_before(b->graph, 1)), 7000);
}

TEST(HostWalk, TheRecordersWorkInsideACallIsCountedWithTheCall) {
  TinyTrace t;
  t.launch(1, 0, 9000, kElementwise, {.start = 9500, .duration = 10});
  t.span(1, 1000, 6000, "Activity Buffer Request", model::SpanKind::kOverhead);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 1U);
  EXPECT_EQ(b->graph.anchors[0].recorder_ns, 6000);
}

TEST(HostWalk, AThreadThatOnlyWaitsHasNoAnchors) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.call(2, 0, 5000, "cudaDeviceSynchronize");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(b->graph.anchor_count(), 1U);
}

}  // namespace
}  // namespace rooflab::graph
