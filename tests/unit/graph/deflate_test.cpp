// SPDX-License-Identifier: Apache-2.0
#include "graph/deflate.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::built;
using rooflab::testing::TinyTrace;

// Every launch call takes 1000: with k = 0.5 a record costs 500.
TinyTrace two_launches(std::int64_t between, int operators) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  for (int i = 0; i < operators; ++i) t.op(1, 1000 + i * (between / 10), 10, "aten::add");
  t.launch(1, 1000 + between, 1000, "b", {.start = 4000 + between, .duration = 10});
  return t;
}

std::int64_t host_time(const Graph& g, const Scenario& s, std::size_t i) {
  std::int64_t sum = 0;
  for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
    sum += s.part_ns[k];
  }
  return sum;
}

TEST(Deflate, EachRecordTakesItsCostFromTheTimeAroundIt) {
  const auto b = built(two_launches(10'000, 4));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 0.5, s);
  EXPECT_EQ(s.call_ns[0], 500);
  EXPECT_EQ(s.call_ns[1], 500);
  EXPECT_EQ(host_time(b->graph, s, 1), 10'000 - 4 * 500);
}

TEST(Deflate, WithoutACostNothingChanges) {
  const auto b = built(two_launches(10'000, 4));
  ASSERT_TRUE(b);
  const Scenario before = as_recorded(b->graph);
  Scenario s = before;
  deflate(b->graph, 0, s);
  EXPECT_EQ(s.part_ns, before.part_ns);
  EXPECT_EQ(s.call_ns, before.call_ns);
}

TEST(Deflate, DeviceTimeAndWaitsStay) {
  const auto b = built(two_launches(10'000, 4));
  ASSERT_TRUE(b);
  const Scenario before = as_recorded(b->graph);
  Scenario s = before;
  deflate(b->graph, 0.5, s);
  EXPECT_EQ(s.work_ns, before.work_ns);
  EXPECT_EQ(s.waits, before.waits);
}

TEST(Deflate, AlwaysLeavesThreeTenths) {
  const auto b = built(two_launches(1'000, 10));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 1.0, s);
  EXPECT_EQ(s.call_ns[0], 300);
  EXPECT_GE(host_time(b->graph, s, 1), 300);
  EXPECT_EQ(s.call_ns[1], 300);
}

// The call of 1000 can pay 700 of the 800 that it owes; the time after it pays the rest.
TEST(Deflate, WhatAShortStretchCannotPayIsPaidByTheNext) {
  const auto b = built(two_launches(10'000, 0));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 0.8, s);
  EXPECT_EQ(s.call_ns[0], 300);
  EXPECT_EQ(host_time(b->graph, s, 1), 10'000 - 100);
}

TEST(Deflate, DebtsStayOnTheirThread) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  t.op(2, 2000, 6000, "aten::add");
  t.launch(2, 5000, 1000, "b", {.start = 9000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 0.8, s);
  // The operator's record (800) is paid by the 3000 before the second launch; the first thread's
  // hundred is not.
  EXPECT_EQ(host_time(b->graph, s, 1), as_recorded(b->graph).part_ns.empty()
                                           ? 0
                                           : host_time(b->graph, as_recorded(b->graph), 1) - 800);
}

TEST(Deflate, TheRecordersOwnWorkGoesAway) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  t.span(1, 2000, 4000, "Activity Buffer Request", model::SpanKind::kOverhead);
  t.launch(1, 11'000, 1000, "b", {.start = 14'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 0.0001, s);
  EXPECT_NEAR(static_cast<double>(host_time(b->graph, s, 1)), 10'000 - 4000, 1);
}

TEST(Deflate, WorkWithoutALaunchRecordIsNotDeflated) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 4000, .duration = 10});
  t.kernel("lost", {.start = 9000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  deflate(b->graph, 0.5, s);
  EXPECT_EQ(host_time(b->graph, s, 1), 8000);
}

TEST(Deflation, DependsOnWhatWasRecorded) {
  model::Profile p;
  p.provenance.tool = "PyTorch profiler (Kineto)";
  const auto mode = [&] {
    const auto d = deflation_of(p);
    return d ? d->mode : "";
  };
  EXPECT_EQ(mode(), "device");
  p.provenance.host_ops_recorded = true;
  EXPECT_EQ(mode(), "host_device");
  p.provenance.shapes_recorded = true;
  EXPECT_EQ(mode(), "host_device_shapes");
  p.provenance.memory_recorded = true;
  EXPECT_EQ(mode(), "host_device_memory");
  p.provenance.stacks_recorded = true;
  EXPECT_EQ(mode(), "host_device_stacks");
}

TEST(Deflation, ARecorderThatWasNotCalibratedIsNotDeflated) {
  model::Profile p;
  p.provenance.tool = "another recorder";
  EXPECT_FALSE(deflation_of(p).has_value());
}

}  // namespace
}  // namespace rooflab::graph
