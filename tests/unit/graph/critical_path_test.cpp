// SPDX-License-Identifier: Apache-2.0
// The path on hand-made profiles, piece by piece, and its sum on recordings. Latencies: dispatch
// 100, stream gap 10, across streams 30, return of a wait 40.
#include "graph/critical_path.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"
#include "support/cases.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::test_data;
using rooflab::testing::TinyTrace;
using rooflab::testing::with_round_latencies;

struct Piece {
  PathKind kind;
  std::int64_t length;
  bool operator==(const Piece&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Piece& p) {
  return out << static_cast<int>(p.kind) << ":" << p.length;
}

CriticalPath path_of(const Graph& g, const Scenario& s) {
  Bindings bindings;
  const Timing timing = simulate(g, s, &bindings);
  return critical_path(g, s, timing, bindings);
}

std::vector<Piece> pieces(const Built& b) {
  std::vector<Piece> out;
  for (const PathStep& step : path_of(b.graph, with_round_latencies(b.graph)).steps) {
    out.push_back({step.kind, step.end - step.begin});
  }
  return out;
}

std::int64_t sum(const CriticalPath& path) {
  std::int64_t out = 0;
  for (const PathStep& step : path.steps) out += step.end - step.begin;
  return out;
}

TEST(CriticalPath, ALateLaunchLeadsBackOverTheHost) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 3000});
  t.launch(1, 9000, 500, "b", {.start = 12'000, .duration = 700});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  // a runs 1100-4100; b is called at 9000, handed over at 9500, runs 9600-10300.
  const std::vector<Piece> expected{{PathKind::kHost, 9000 - 1100},
                                    {PathKind::kCall, 500},
                                    {PathKind::kDispatch, 100},
                                    {PathKind::kWork, 700}};
  EXPECT_EQ(pieces(*b), expected);
}

TEST(CriticalPath, ABusyStreamLeadsBackOverItsWork) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 30'000});
  t.launch(1, 1500, 500, "b", {.start = 33'000, .duration = 700});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const std::vector<Piece> expected{
      {PathKind::kWork, 30'000}, {PathKind::kGap, 10}, {PathKind::kWork, 700}};
  EXPECT_EQ(pieces(*b), expected);
}

TEST(CriticalPath, AWaitLeadsBackToTheWorkItWaitedFor) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 30'000});
  t.call(1, 1500, 31'000, "cudaDeviceSynchronize");  // 1500-32500
  t.launch(1, 33'500, 500, "b", {.start = 36'000, .duration = 700});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const std::vector<Piece> expected{{PathKind::kWork, 30'000},  {PathKind::kReturn, 40},
                                    {PathKind::kHost, 1000},    {PathKind::kCall, 500},
                                    {PathKind::kDispatch, 100}, {PathKind::kWork, 700}};
  EXPECT_EQ(pieces(*b), expected);
}

TEST(CriticalPath, ADependencyLeadsBackAcrossStreams) {
  TinyTrace t;
  t.launch(1, 0, 1000, "a", {.start = 2000, .duration = 30'000, .stream = 7});
  t.call(1, 1100, 100, "cudaStreamWaitEvent");
  t.launch(1, 1500, 500, "b", {.start = 33'000, .duration = 700, .stream = 9});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const std::vector<Piece> expected{
      {PathKind::kWork, 30'000}, {PathKind::kCross, 30}, {PathKind::kWork, 700}};
  EXPECT_EQ(pieces(*b), expected);
}

TEST(CriticalPath, WithoutDeviceWorkThereIsNone) {
  TinyTrace t;
  t.op(1, 0, 1000, "aten::mul");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_TRUE(recorded_critical_path(b->graph).steps.empty());
  EXPECT_EQ(recorded_host_ratio(recorded_critical_path(b->graph)), 0);
}

TEST(CriticalPath, AddsUpToTheWindowOnRecordings) {
  for (const char* name :
       {"loader_starved", "launch_bound", "launch_bound_graphed", "large_pageable_copy",
        "large_pinned_copy", "sync_bound", "transformer_healthy", "elementwise_memory_bound",
        "dataloader_workers8", "overlap_copy_compute", "ddp/straggler.rank1"}) {
    const auto r = analysed(test_data(std::string("h200/") + name + ".json.gz"));
    ASSERT_TRUE(r);
    const Graph g = build_graph(r->analysis);
    const CriticalPath path = recorded_critical_path(g);
    const Timing timing = simulate(g, as_recorded(g));
    EXPECT_EQ(path.end - path.begin, timing.end - timing.begin) << name;
    EXPECT_EQ(sum(path), timing.end - timing.begin) << name;
    for (std::size_t i = 1; i < path.steps.size(); ++i) {
      ASSERT_EQ(path.steps[i - 1].end, path.steps[i].begin) << name;
    }
  }
}

// Shortening what is not on the path shortens no step.
TEST(CriticalPath, HostTimeOffThePathIsWorthNothing) {
  const auto r = analysed(test_data("h200/elementwise_memory_bound.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  Scenario s = as_recorded(g);
  std::vector<bool> on(g.parts.size(), false);
  for (const PathStep& step : path_of(g, s).steps) {
    if (step.kind == PathKind::kHost) on[step.part] = true;
  }
  const double before = simulate(g, s).step_ns;
  std::int64_t removed = 0;
  const Timing timing = simulate(g, s);
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    if (timing.anchor_begin[i] < timing.begin) continue;
    for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
      if (on[k]) continue;
      removed += s.part_ns[k];
      s.part_ns[k] = 0;
    }
  }
  EXPECT_GT(removed, 0);
  EXPECT_DOUBLE_EQ(simulate(g, s).step_ns, before);
}

TEST(CriticalPath, TheHostsPartIsLargeWhereItHoldsTheDeviceUp) {
  const auto ratio = [](const char* name) {
    const auto r = analysed(test_data(std::string("h200/") + name + ".json.gz"));
    if (!r) return -1.0;
    return recorded_host_ratio(recorded_critical_path(build_graph(r->analysis)));
  };
  EXPECT_GT(ratio("loader_starved"), 0.95);
  EXPECT_LT(ratio("elementwise_memory_bound"), 0.05);
}

}  // namespace
}  // namespace rooflab::graph
