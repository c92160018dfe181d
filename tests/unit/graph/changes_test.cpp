// SPDX-License-Identifier: Apache-2.0
// Every change on a hand-made profile, and on the recording whose fault it removes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "graph/edits.h"
#include "graph/gain.h"
#include "support/built_graph.h"
#include "support/cases.h"

namespace rooflab::graph {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::analysed;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::test_data;
using rooflab::testing::TinyTrace;
using ::testing::HasSubstr;

Result<Applied> apply(const Built& b, const char* name, const std::vector<std::string>& arguments,
                      Scenario& s, Outlook outlook = Outlook::kLikely) {
  const Change* change = find_change(name);
  if (change == nullptr) return fail(ErrorCode::kUsage, "no such change", name);
  return change->apply(b.graph, arguments, outlook, s);
}

void launch_at(TinyTrace& t, std::int64_t at, std::string_view name, std::int64_t duration = 500) {
  t.launch(1, at, 1000, name, {.start = at + 3000, .duration = duration});
}

void copy_at(TinyTrace& t, std::int64_t at, std::int64_t bytes, MemoryKind host,
             std::int64_t duration, bool up = true) {
  const bool blocks = host == MemoryKind::kPageable;
  const std::int64_t id =
      t.launch_call(1, at, blocks ? 4000 + duration + 1000 : 1000, "cudaMemcpyAsync");
  t.copy({.start = at + 4000, .duration = duration},
         up ? CopyDirection::kHostToDevice : CopyDirection::kDeviceToHost,
         up ? host : MemoryKind::kDevice, up ? MemoryKind::kDevice : host, bytes, id);
}

void on_h200(TinyTrace& t) {
  t.builder().profile().devices[0].name = t.builder().intern("NVIDIA H200");
}

struct Measured {
  double low, high;
};

// The gain of the change on a recording against what the same change gained when it was measured.
void expect_gain(const char* file, const std::vector<ChangeCall>& calls, Measured measured) {
  const auto r = analysed(test_data(std::string("h200/") + file));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  const Predictor predictor(g, true);
  ASSERT_TRUE(predictor.suitable());
  const auto gain = predictor.gain(calls);
  ASSERT_TRUE(gain.has_value());
  EXPECT_LE(gain->low, measured.high) << "the interval meets the measured range";
  EXPECT_GE(gain->high, measured.low) << "the interval meets the measured range";
  EXPECT_GE(gain->likely, measured.low * 0.75);
  EXPECT_LE(gain->likely, measured.high * 1.25);
}

TEST(Changes, HaveOneNameEachAndSayWhatTheyDo) {
  std::set<std::string> names;
  for (const Change& c : all_changes()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_STRNE(c.what, "") << c.name;
    ASSERT_NE(find_change(c.name), nullptr);
    EXPECT_STREQ(find_change(c.name)->name, c.name);
  }
  EXPECT_EQ(find_change("nothing"), nullptr);
}

// No change may make a simulated step longer than the outlook's own before it, whatever the file.
TEST(Changes, WithoutAnythingToChangeLeaveTheRunAsItIs) {
  TinyTrace t;
  launch_at(t, 0, "only");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const std::map<std::string, std::vector<std::string>> arguments{
      {"loader-workers", {"4"}}, {"remove-host", {"compile"}}, {"batch", {"2"}}};
  for (const char* name :
       {"graph-launches", "remove-sync", "pin-copies", "coalesce-copies", "overlap-copies",
        "overlap-comm", "feed-loader", "loader-workers", "remove-host"}) {
    const auto given = arguments.find(name);
    Scenario s = as_recorded(b->graph);
    const auto applied =
        apply(*b, name, given == arguments.end() ? std::vector<std::string>{} : given->second, s);
    ASSERT_TRUE(applied.has_value()) << name;
    EXPECT_EQ(applied->count, 0) << name;
    EXPECT_DOUBLE_EQ(simulate(b->graph, s).step_ns,
                     simulate(b->graph, as_recorded(b->graph)).step_ns)
        << name;
  }
}

TEST(Changes, RefuseArgumentsThatDoNotFit) {
  TinyTrace t;
  launch_at(t, 0, "only");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const std::pair<const char*, std::vector<std::string>> bad[] = {
      {"graph-launches", {"1"}},    {"remove-sync", {"a", "b"}},
      {"pin-copies", {"1"}},        {"coalesce-copies", {"1"}},
      {"overlap-copies", {"1"}},    {"overlap-comm", {"1"}},
      {"feed-loader", {"1"}},       {"loader-workers", {}},
      {"loader-workers", {"0"}},    {"loader-workers", {"many"}},
      {"remove-host", {}},          {"remove-host", {"sync"}},
      {"remove-host", {"nothing"}}, {"remove-host", {"range", "a"}}};
  for (const auto& [name, arguments] : bad) {
    Scenario s = as_recorded(b->graph);
    const auto applied = apply(*b, name, arguments, s);
    ASSERT_FALSE(applied.has_value()) << name;
    EXPECT_EQ(applied.error().code, ErrorCode::kUsage) << name;
    EXPECT_EQ(applied.error().where, name);
  }
}

TEST(GraphLaunches, ReplaysTheLaunchesBetweenTwoWaits) {
  TinyTrace t;
  for (int i = 0; i < 5; ++i) launch_at(t, i * 20'000, "k" + std::to_string(i));
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "graph-launches", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 5);
  EXPECT_EQ(applied->what, "5 launches become 1 graph launches");
  EXPECT_FALSE(applied->bound);
  EXPECT_FALSE(applied->assumes.empty());
  const Timing timing = simulate(b->graph, s);
  EXPECT_EQ(timing.work_start[b->work("k4").row] - timing.work_start[b->work("k0").row],
            4 * (500 + static_cast<std::int64_t>(s.replay_gap_ns)));
}

TEST(GraphLaunches, OnTheRecordings) {
  expect_gain("launch_bound.json.gz", {{"graph-launches", {}}}, {10.9, 11.2});
  expect_gain("pairs/inference_graphed.before.json.gz", {{"graph-launches", {}}}, {4.9, 9.2});
}

TEST(RemoveSync, TheHostRunsAhead) {
  TinyTrace t;
  launch_at(t, 0, "a", 50'000);
  t.call(1, 2000, 55'000, "cudaStreamSynchronize");
  launch_at(t, 58'000, "b", 50'000);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "remove-sync", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 1);
  const Timing timing = simulate(b->graph, s);
  EXPECT_EQ(timing.work_start[b->work("b").row],
            timing.work_start[b->work("a").row] + 50'000 +
                static_cast<std::int64_t>(s.latencies.stream_gap));
}

// Removing every read-back gained 1.08-1.09x when it was measured: the host is limited by launches.
TEST(RemoveSync, OnTheRecordingStaysBelowItsCap) {
  const auto r = analysed(test_data("h200/sync_bound.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  const auto gain = Predictor(g, true).gain({{"remove-sync", {}}});
  ASSERT_TRUE(gain.has_value());
  EXPECT_LT(gain->likely, 1.25);
  EXPECT_LE(gain->low, 1.09);
  EXPECT_GE(gain->high, 1.08);
}

TEST(PinCopies, GoAtTheLinksRateAndDoNotHoldUpTheHost) {
  TinyTrace t;
  launch_at(t, 0, "a");
  copy_at(t, 5000, 1 << 20, MemoryKind::kPageable, 200'000);
  launch_at(t, 220'000, "b");
  on_h200(t);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "pin-copies", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 1);
  const double rate = link_rate(b->graph, Outlook::kLikely).value_or(1);
  EXPECT_NEAR(static_cast<double>(s.work_ns[b->work("copy").row]), (1 << 20) / rate * 1e9 + 1000,
              2);
  EXPECT_EQ(s.waits[1], 0);
}

TEST(PinCopies, LeavesPinnedOnesAndTheWaitForAResult) {
  TinyTrace t;
  launch_at(t, 0, "a");
  copy_at(t, 5000, 1 << 20, MemoryKind::kPinned, 20'000);
  copy_at(t, 40'000, 1 << 20, MemoryKind::kPageable, 200'000, false);
  on_h200(t);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "pin-copies", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 1);
  EXPECT_EQ(s.waits[2], 1) << "the host still needs what it reads";
}

TEST(PinCopies, NeedsAKnownLink) {
  TinyTrace t;
  copy_at(t, 5000, 1 << 20, MemoryKind::kPageable, 200'000);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "pin-copies", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 0);
  EXPECT_THAT(applied->what, HasSubstr("unknown"));
}

TEST(PinCopies, OnTheRecording) {
  expect_gain("large_pageable_copy.json.gz", {{"pin-copies", {}}}, {6.3, 7.9});
}

TEST(CoalesceCopies, ManySmallOnesBecomeOne) {
  TinyTrace t;
  launch_at(t, 0, "kernel");
  for (int i = 1; i <= 10; ++i) copy_at(t, i * 20'000, 2048, MemoryKind::kPageable, 1500);
  copy_at(t, 300'000, 1 << 20, MemoryKind::kPinned, 20'000);  // not small
  on_h200(t);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "coalesce-copies", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 10);
  std::int64_t gone = 0;
  for (const WorkState state : s.work_state) gone += state == WorkState::kGone ? 1 : 0;
  EXPECT_EQ(gone, 9);
  const double fixed = ceiling_for(Outlook::kLikely, "pinned_copy_fixed_ns");
  const double rate = link_rate(b->graph, Outlook::kLikely).value_or(1);
  EXPECT_NEAR(static_cast<double>(s.work_ns[b->graph.works_of_anchor[1].row]),
              20'480 / rate * 1e9 + fixed, 2);
}

// A value that the host reads decides what comes next: it cannot be gathered with later ones.
TEST(CoalesceCopies, LeaveWhatTheHostReadsBack) {
  TinyTrace t;
  launch_at(t, 0, "kernel");
  for (int i = 1; i <= 10; ++i) copy_at(t, i * 20'000, 4, MemoryKind::kPageable, 1500, false);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  for (const char* name : {"coalesce-copies", "overlap-copies"}) {
    Scenario s = as_recorded(b->graph);
    const auto applied = apply(*b, name, {}, s);
    ASSERT_TRUE(applied.has_value());
    EXPECT_EQ(applied->count, 0) << name;
  }
}

TEST(CoalesceCopies, OnTheRecording) {
  expect_gain("pairs/copies_coalesced.before.json.gz", {{"coalesce-copies", {}}}, {4.3, 7.3});
}

TEST(OverlapCopies, HidesPinnedCopiesUnderCompute) {
  TinyTrace t;
  launch_at(t, 0, "a", 50'000);
  copy_at(t, 2000, 1 << 20, MemoryKind::kPinned, 20'000);
  launch_at(t, 4000, "b", 50'000);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "overlap-copies", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 1);
  const Timing timing = simulate(b->graph, s);
  EXPECT_EQ(timing.work_start[b->work("b").row],
            timing.work_start[b->work("a").row] + 50'000 +
                static_cast<std::int64_t>(s.latencies.stream_gap));
}

TEST(OverlapCopies, PageableOnesOnlyOncePinned) {
  TinyTrace t;
  launch_at(t, 0, "kernel");
  copy_at(t, 5000, 1 << 20, MemoryKind::kPageable, 200'000);
  on_h200(t);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto alone = apply(*b, "overlap-copies", {}, s);
  ASSERT_TRUE(alone.has_value());
  EXPECT_EQ(alone->count, 0);
  ASSERT_TRUE(apply(*b, "pin-copies", {}, s).has_value());
  const auto pinned = apply(*b, "overlap-copies", {}, s);
  ASSERT_TRUE(pinned.has_value());
  EXPECT_EQ(pinned->count, 1);
}

// One copy fills the link: there is nothing to hide it under (1.04x was measured).
TEST(OverlapCopies, OnTheRecordingGainsNextToNothing) {
  const auto r = analysed(test_data("h200/large_pinned_copy.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  const auto gain = Predictor(g, true).gain({{"overlap-copies", {}}});
  ASSERT_TRUE(gain.has_value());
  EXPECT_LT(gain->likely, 1.10);
}

TEST(OverlapComm, HidesCollectives) {
  TinyTrace t;
  launch_at(t, 0, "a", 50'000);
  launch_at(t, 2000, rooflab::testing::kAllReduce, 30'000);
  launch_at(t, 4000, "b", 50'000);
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "overlap-comm", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_EQ(applied->count, 1);
  EXPECT_EQ(s.work_state[b->work(rooflab::testing::kAllReduce).row], WorkState::kHidden);
  EXPECT_EQ(s.work_state[b->work("a").row], WorkState::kAsRecorded);
}

// Steps of 100 us, 60 of them input.
std::unique_ptr<Built> fed_steps() {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 100'000;
    t.range(1, at, 99'000, "ProfilerStep#" + std::to_string(i));
    t.range(1, at + 1000, 60'000, "load_batch");
    launch_at(t, at + 70'000, "k");
  }
  return built(std::move(t));
}

TEST(FeedLoader, IsABound) {
  const auto b = fed_steps();
  ASSERT_TRUE(b);
  Scenario s = as_recorded(b->graph);
  const auto applied = apply(*b, "feed-loader", {}, s);
  ASSERT_TRUE(applied.has_value());
  EXPECT_TRUE(applied->bound);
  EXPECT_EQ(applied->count, 3) << "what comes before the first launch has no beginning";
  EXPECT_DOUBLE_EQ(simulate(b->graph, s).step_ns, 40'000);
}

TEST(LoaderWorkers, LeaveWhatNWorkersCannotPrepareInTime) {
  const auto b = fed_steps();
  ASSERT_TRUE(b);
  const double share = ceiling_for(Outlook::kLikely, "loader_worker_share");
  // One worker beside the program: a step takes as long as the input.
  Scenario one = as_recorded(b->graph);
  const auto applied = apply(*b, "loader-workers", {"1"}, one);
  ASSERT_TRUE(applied.has_value());
  EXPECT_FALSE(applied->bound);
  EXPECT_NEAR(simulate(b->graph, one).step_ns, 60'000, 2);
  // Eight: the rest of the step is the longer one.
  Scenario eight = as_recorded(b->graph);
  const auto many = apply(*b, "loader-workers", {"8"}, eight);
  ASSERT_TRUE(many.has_value());
  EXPECT_TRUE(many->bound) << "8 x " << share << " is faster than what is left";
  EXPECT_NEAR(simulate(b->graph, eight).step_ns, 40'000, 2);
}

TEST(LoaderWorkers, OnTheRecording) {
  expect_gain("loader_steady_w0.json.gz", {{"loader-workers", {"4"}}}, {3.0, 4.5});
}

TEST(RemoveHostChange, TakesAKindOrOneRangeOfIt) {
  TinyTrace t;
  launch_at(t, 0, "a");
  t.range(1, 2000, 5000, "augment");
  t.range(1, 10'000, 3000, "log_metrics");
  launch_at(t, 14'000, "b");
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Scenario all = as_recorded(b->graph);
  const auto both = apply(*b, "remove-host", {"range"}, all);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->count, 2);
  EXPECT_EQ(simulate(b->graph, all).anchor_begin[1], 6'000);
  Scenario one = as_recorded(b->graph);
  const auto named = apply(*b, "remove-host", {"range:augment"}, one);
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->count, 1);
  EXPECT_THAT(named->what, HasSubstr("range:augment"));
  EXPECT_EQ(simulate(b->graph, one).anchor_begin[1], 9'000);
}

}  // namespace
}  // namespace rooflab::graph
