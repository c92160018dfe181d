// SPDX-License-Identifier: Apache-2.0
#include "graph/edits.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using analysis::HostClass;
using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::TinyTrace;

// The names of the works in each run.
std::vector<std::vector<std::string>> names_of(const Built& b,
                                               const std::vector<CaptureRun>& runs) {
  std::vector<std::vector<std::string>> out;
  for (const CaptureRun& run : runs) {
    out.emplace_back();
    for (const std::uint32_t i : run.anchors) {
      const model::WorkId w = b.graph.works_of_anchor[b.graph.anchors[i].first_work];
      out.back().emplace_back(b.profile.text(b.profile.work.name[w.row]));
    }
  }
  return out;
}

using Runs = std::vector<std::vector<std::string>>;

Runs runs_of(const Built& b, std::size_t least = 2) {
  return names_of(b, capture_runs(b.graph, as_recorded(b.graph), least));
}

void launch_at(TinyTrace& t, std::int64_t at, std::string_view name) {
  t.launch(1, at, 1000, name, {.start = at + 3000, .duration = 500});
}

TEST(CaptureRuns, LaunchesWithOnlyTheFrameworkBetweenThemAreOne) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.op(1, 1500, 7000, "aten::add");
  launch_at(t, 9000, "b");
  launch_at(t, 12'000, "c");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b), (Runs{{"a", "b", "c"}}));
}

TEST(CaptureRuns, BreakAtAWait) {
  TinyTrace t;
  launch_at(t, 0, "a");
  launch_at(t, 1500, "b");
  t.call(1, 3000, 9000, "cudaStreamSynchronize");  // ends after "b" (4500..5000)
  launch_at(t, 13'000, "c");
  launch_at(t, 16'000, "d");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b), (Runs{{"a", "b"}, {"c", "d"}}));
}

TEST(CaptureRuns, DoNotBreakAtAWaitThatWasRemoved) {
  TinyTrace t;
  launch_at(t, 0, "a");
  launch_at(t, 1500, "b");
  const std::int64_t id = t.launch_call(1, 3000, 9000, "cudaMemcpyAsync");
  t.copy({.start = 7000, .duration = 2000}, CopyDirection::kDeviceToHost, MemoryKind::kDevice,
         MemoryKind::kPageable, 4, id);
  launch_at(t, 13'000, "c");
  launch_at(t, 16'000, "d");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b), (Runs{{"a", "b"}, {"c", "d"}}));
  Scenario s = as_recorded(b->graph);
  EXPECT_EQ(remove_waits(b->graph, {}, s), 1);
  EXPECT_EQ(names_of(*b, capture_runs(b->graph, s, 2)), (Runs{{"a", "b", "copy", "c", "d"}}));
}

TEST(CaptureRuns, BreakAtInputAndLongCodeButNotAtGlue) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.range(1, 2000, 100'000, "log_metrics");  // shorter than 200 us: glue
  launch_at(t, 103'000, "b");
  t.range(1, 105'000, 1000, "load_batch");  // input, however short
  launch_at(t, 107'000, "c");
  launch_at(t, 110'000, "d");
  t.range(1, 112'000, 300'000, "log_metrics");  // long
  launch_at(t, 413'000, "e");
  launch_at(t, 416'000, "f");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b), (Runs{{"a", "b"}, {"c", "d"}, {"e", "f"}}));
}

TEST(CaptureRuns, BreakAtUnits) {
  TinyTrace t;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = i * 10'000;
    t.range(1, at, 9'000, "ProfilerStep#" + std::to_string(i));
    launch_at(t, at + 100, "a" + std::to_string(i));
    launch_at(t, at + 2000, "b" + std::to_string(i));
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b), (Runs{{"a0", "b0"}, {"a1", "b1"}, {"a2", "b2"}}));
}

TEST(CaptureRuns, NeedEnoughWork) {
  TinyTrace t;
  launch_at(t, 0, "a");
  launch_at(t, 1500, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(runs_of(*b, 2), (Runs{{"a", "b"}}));
  EXPECT_EQ(runs_of(*b, 3), Runs{});
}

TEST(ReplayAsGraphs, TheFirstCallPaysForAllAndTheRestFollow) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.op(1, 1500, 7000, "aten::add");
  launch_at(t, 9000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  replay_as_graphs(b->graph, capture_runs(b->graph, s, 2), Outlook::kLikely, s);
  const auto launch = static_cast<std::int64_t>(ceiling_for(Outlook::kLikely, "graph_launch_ns"));
  const auto gap = static_cast<std::int64_t>(ceiling_for(Outlook::kLikely, "graph_node_gap_ns"));
  EXPECT_EQ(s.call_ns[0], launch);
  EXPECT_EQ(s.call_ns[1], 0);
  EXPECT_EQ(s.work_state[b->work("a").row], WorkState::kAsRecorded);
  EXPECT_EQ(s.work_state[b->work("b").row], WorkState::kGraphNode);
  const Timing timing = simulate(b->graph, s);
  EXPECT_EQ(timing.work_start[b->work("b").row], timing.work_start[b->work("a").row] + 500 + gap);
}

TEST(RemoveHost, TakesOneClassAndCountsItsParts) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.range(1, 2000, 5000, "load_batch");
  t.op(1, 8000, 1000, "aten::add");
  t.range(1, 10'000, 3000, "log_metrics");
  launch_at(t, 14'000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  EXPECT_EQ(remove_host(b->graph, {HostClass::kInput}, {}, s), 1);
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[1], 9'000);
  EXPECT_EQ(remove_host(b->graph, {HostClass::kInput}, {}, s), 0) << "it is gone already";
  EXPECT_EQ(remove_host(b->graph, {HostClass::kFramework, HostClass::kRange}, {}, s), 2);
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[1], 5'000);
}

TEST(RemoveHost, ByNameLeavesOtherRanges) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.range(1, 2000, 5000, "augment");
  t.range(1, 10'000, 3000, "log_metrics");
  t.frame(1, 13'100, 700, "train.py(12): tidy");
  launch_at(t, 14'000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  EXPECT_EQ(remove_host(b->graph, {HostClass::kRange}, "log_metrics", s), 1);
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[1], 11'000);
  EXPECT_EQ(remove_host(b->graph, {HostClass::kRange}, "nothing", s), 0);
  EXPECT_EQ(remove_host(b->graph, {HostClass::kHostCode}, "tidy", s), 1) << "as it is shown";
  EXPECT_EQ(simulate(b->graph, s).anchor_begin[1], 10'300);
}

TEST(RemoveWaits, ByTheNameOfTheCallOrOfAnyRangeAroundIt) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.op(1, 1500, 8000, "aten::item");
  t.call(1, 2000, 7000, "cudaStreamSynchronize");
  launch_at(t, 10'000, "b");
  t.call(1, 12'000, 7000, "cudaDeviceSynchronize");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const auto removed = [&](std::string_view name) {
    Scenario s = as_recorded(b->graph);
    return remove_waits(b->graph, name, s);
  };
  EXPECT_EQ(removed(""), 2);
  EXPECT_EQ(removed("aten::item"), 1);
  EXPECT_EQ(removed("cudaDeviceSynchronize"), 1);
  EXPECT_EQ(removed("aten::add"), 0);
}

TEST(RemoveWaits, ACopyToTheDeviceBlocksForTheSakeOfItsMemory) {
  for (const bool up : {true, false}) {
    TinyTrace t;
    const std::int64_t id = t.launch_call(1, 0, 50'000, "cudaMemcpyAsync");
    t.copy({.start = 4000, .duration = 40'000},
           up ? CopyDirection::kHostToDevice : CopyDirection::kDeviceToHost,
           up ? MemoryKind::kPageable : MemoryKind::kDevice,
           up ? MemoryKind::kDevice : MemoryKind::kPageable, 1 << 20, id);
    const auto b = built(std::move(t));
    ASSERT_TRUE(b);
    Scenario s = as_recorded(b->graph);
    EXPECT_EQ(remove_waits(b->graph, {}, s), up ? 0 : 1);
  }
}

TEST(Unblock, TheCopyAndTheSynchronisingCallAfterItReturnAtOnce) {
  TinyTrace t;
  launch_at(t, 0, "a");
  const std::int64_t id = t.launch_call(1, 5000, 50'000, "cudaMemcpyAsync");
  t.copy({.start = 9000, .duration = 40'000}, CopyDirection::kHostToDevice, MemoryKind::kPageable,
         MemoryKind::kDevice, 1 << 20, id);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  ASSERT_EQ(s.waits[1], 1);
  EXPECT_EQ(s.call_ns[1], 4000) << "until it was handed over";
  unblock(b->graph, 1, s);
  EXPECT_EQ(s.waits[1], 0);
  EXPECT_EQ(s.call_ns[1], b->graph.launch_call_median_ns);
}

TEST(Unblock, AlsoTheWaitForAnAsynchronousCopy) {
  TinyTrace t;
  launch_at(t, 0, "a");
  const std::int64_t id = t.launch_call(1, 5000, 2'000, "cudaMemcpyAsync");
  t.copy({.start = 9000, .duration = 40'000}, CopyDirection::kHostToDevice, MemoryKind::kPageable,
         MemoryKind::kDevice, 1 << 20, id);
  t.call(1, 8000, 45'000, "cudaStreamSynchronize");
  launch_at(t, 60'000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  ASSERT_EQ(s.waits[2], 1);
  unblock(b->graph, 1, s);
  EXPECT_EQ(s.waits[2], 0);
}

TEST(ReadsBack, IsACopyToTheHostThatTheHostWaitsFor) {
  const auto reads = [](CopyDirection direction, bool waits) {
    TinyTrace t;
    const std::int64_t id = t.launch_call(1, 0, 2'000, "cudaMemcpyAsync");
    t.copy({.start = 4000, .duration = 2000}, direction, MemoryKind::kUnknown, MemoryKind::kUnknown,
           4, id);
    if (waits) t.call(1, 2500, 8'000, "cudaStreamSynchronize");
    const auto b = built(std::move(t));
    return b && reads_back(b->graph, 0);
  };
  EXPECT_TRUE(reads(CopyDirection::kDeviceToHost, true));
  EXPECT_FALSE(reads(CopyDirection::kDeviceToHost, false));
  EXPECT_FALSE(reads(CopyDirection::kHostToDevice, true));
}

TEST(DropAnchor, TakesTheCallItsWorkAndTheFrameworkBeforeIt) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.op(1, 2000, 5000, "aten::add");
  launch_at(t, 9000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  for (const bool with_glue : {false, true}) {
    Scenario s = as_recorded(b->graph);
    drop_anchor(b->graph, 1, with_glue, s);
    EXPECT_EQ(s.call_ns[1], 0);
    EXPECT_EQ(s.work_state[b->work("b").row], WorkState::kGone);
    EXPECT_EQ(simulate(b->graph, s).anchor_begin[1], with_glue ? 1000 : 4000);
  }
}

TEST(UnitOfAnchors, CountsTheUnitsThatHaveBegun) {
  TinyTrace t;
  launch_at(t, 0, "before");
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = 10'000 + i * 10'000;
    t.range(1, at, 9'000, "ProfilerStep#" + std::to_string(i));
    launch_at(t, at + 100, "a" + std::to_string(i));
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  EXPECT_EQ(unit_of_anchors(b->graph), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(LinkRate, NeedsAKnownDeviceAndGrowsWithTheOutlook) {
  TinyTrace t;
  launch_at(t, 0, "a");
  const auto unknown = built(std::move(t));
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(link_rate(unknown->graph, Outlook::kLikely).has_value());
  TinyTrace h;
  launch_at(h, 0, "a");
  h.builder().profile().devices[0].name = h.builder().intern("NVIDIA H200");
  const auto known = built(std::move(h));
  ASSERT_TRUE(known);
  const auto least = link_rate(known->graph, Outlook::kLeast);
  const auto likely = link_rate(known->graph, Outlook::kLikely);
  const auto most = link_rate(known->graph, Outlook::kMost);
  ASSERT_TRUE(least && likely && most);
  EXPECT_LT(*least, *likely);
  EXPECT_LT(*likely, *most);
  EXPECT_NEAR(*likely / 55e9, 1, 0.05) << "large_pinned_copy of tests/data/h200 reaches 55 GB/s";
}

TEST(Arguments, AreCountedAndRead) {
  EXPECT_TRUE(expect_arguments("x", {}, 0, 1).has_value());
  EXPECT_TRUE(expect_arguments("x", {"1"}, 0, 1).has_value());
  const auto many = expect_arguments("x", {"1", "2"}, 0, 1);
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().code, ErrorCode::kUsage);
  EXPECT_EQ(many.error().where, "x");
  EXPECT_DOUBLE_EQ(positive_number("x", "2.5").value_or(0), 2.5);
  for (const char* bad : {"", "0", "-1", "1x", "x", "inf", "nan", "1e999", " 1"}) {
    EXPECT_FALSE(positive_number("x", bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace rooflab::graph
