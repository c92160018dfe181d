// SPDX-License-Identifier: Apache-2.0
// A fault made worse in a real recording is reported as worse: its share of the window and the gain
// of removing it move the right way.
//
// The recording is changed (more waits, longer gaps, slower copies, longer input), re-timed by the
// simulation and judged from the start (tests/support/retimed.h).
#include <gtest/gtest.h>

#include "graph/edits.h"
#include "support/cases.h"
#include "support/judged.h"
#include "support/retimed.h"

namespace rooflab::verdict {
namespace {

using analysis::HostClass;
using rooflab::testing::Judged;
using rooflab::testing::judged;
using rooflab::testing::judged_file;
using rooflab::testing::retimed;
using rooflab::testing::test_data;

double gain_of_change(const Judged& j, const char* change) {
  const auto gain = j.predictor->gain({{change, {}}});
  EXPECT_TRUE(gain.has_value());
  return gain ? gain->likely : 0;
}

// A synchronising call right after every `nth` launch call that has none, to be waited for.
model::Profile with_more_waits(const model::Profile& original, std::size_t nth) {
  model::Profile p = rooflab::testing::copy_of(original);
  const StringId name = p.strings.intern("cudaStreamSynchronize");
  std::vector<bool> launches(p.spans.size(), false);
  for (const model::SpanId launch : p.work.launch) {
    if (launch.valid()) launches[launch.row] = true;
  }
  const std::size_t rows = p.spans.size();
  std::size_t seen = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!launches[row]) continue;
    if (row + 1 < rows && p.spans.name[row + 1] == name) continue;  // it is waited for already
    if (++seen % nth != 0) continue;
    // A nanosecond apart, so that the warp can tell the call's end from the wait's begin and end.
    p.spans.start.push_back(p.spans.end(row) + 1);
    p.spans.duration.push_back(1);
    p.spans.name.push_back(name);
    p.spans.track.push_back(p.spans.track[row]);
    p.spans.kind.push_back(model::SpanKind::kRuntimeCall);
    p.spans.args.emplace_back();
    p.spans.correlation.push_back(-1);
  }
  rooflab::testing::detail::sort_spans(p);
  return p;
}

// Makes each of them wait for all that was launched before it.
void make_them_wait(graph::Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  model::WorkId last;
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    graph::Anchor& a = g.anchors[i];
    if (a.first_work < g.anchors[i + 1].first_work) {
      last = g.works_of_anchor[g.anchors[i + 1].first_work - 1];
    } else if (a.span.valid() && a.wait == graph::Wait::kNone && last.valid() &&
               p.span_name(a.span) == "cudaStreamSynchronize") {
      a.wait = graph::Wait::kWork;
      a.target = last;
    }
  }
}

std::unique_ptr<Judged> with_waits_after_every(std::size_t nth, const Judged& before) {
  const auto more = rooflab::testing::built(with_more_waits(before.built->profile, nth));
  if (!more) return nullptr;
  graph::Graph g = more->graph;
  make_them_wait(g);
  return judged(retimed(g, graph::as_recorded(g)));
}

// Waits after every eighth, fourth, second and every launch that had none.
void expect_more_synchronisation(const char* file) {
  SCOPED_TRACE(file);
  const auto before = judged_file(test_data(file));
  ASSERT_TRUE(before);
  const std::int64_t had = before->built->analysis.blocking.count;
  std::int64_t added = 0;
  double gain = before->gain_of(Limit::kSync), change = gain_of_change(*before, "remove-sync");
  double idle = before->share("idle."), step = recorded_step_ns(before->graph());
  for (const std::size_t nth : {8U, 4U, 2U, 1U}) {
    SCOPED_TRACE(nth);
    const auto after = with_waits_after_every(nth, *before);
    ASSERT_TRUE(after);
    const std::int64_t more = after->built->analysis.blocking.count - had;
    if (added > 0) {
      EXPECT_NEAR(static_cast<double>(more) / static_cast<double>(added), 2, 0.1);
    }
    EXPECT_GT(recorded_step_ns(after->graph()), step);
    EXPECT_GT(after->gain_of(Limit::kSync), gain);
    EXPECT_GT(gain_of_change(*after, "remove-sync"), change);
    EXPECT_GT(after->share("idle."), idle);
    added = more;
    gain = after->gain_of(Limit::kSync);
    change = gain_of_change(*after, "remove-sync");
    idle = after->share("idle.");
    step = recorded_step_ns(after->graph());
  }
  EXPECT_GT(gain, 1.08);
}

TEST(Mutation, MoreWaitsAreMoreSynchronisation) {
  expect_more_synchronisation("h200/sync_bound.json.gz");
  expect_more_synchronisation("h200/healthy_inference_large_batch.json.gz");
}

// With three times the waits of the recording, they and no longer the launches are the limit.
TEST(Mutation, EnoughWaitsBecomeTheLimit) {
  const auto before = judged_file(test_data("h200/sync_bound.json.gz"));
  ASSERT_TRUE(before);
  EXPECT_EQ(before->verdict.limit, Limit::kLaunch);
  const auto after = with_waits_after_every(1, *before);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->verdict.limit, Limit::kSync);
  ASSERT_NE(before->finding("host_sync"), nullptr);
  ASSERT_NE(after->finding("host_sync"), nullptr);
}

TEST(Mutation, LongerGapsAreMoreLaunchOverhead) {
  const auto before = judged_file(test_data("h200/launch_bound.json.gz"));
  ASSERT_TRUE(before);
  double gain = before->gain_of(Limit::kLaunch);
  double idle = before->share("idle.");
  for (const double factor : {1.5, 3.0}) {
    graph::Scenario s = graph::as_recorded(before->graph());
    for (std::int64_t& ns : s.part_ns) {
      ns = static_cast<std::int64_t>(static_cast<double>(ns) * factor);
    }
    const auto after = judged(retimed(before->graph(), s));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->verdict.limit, Limit::kLaunch);
    EXPECT_GT(after->gain_of(Limit::kLaunch), gain);
    EXPECT_GT(after->share("idle."), idle);
    gain = after->gain_of(Limit::kLaunch);
    idle = after->share("idle.");
  }
}

TEST(Mutation, SlowerPageableCopiesAreMoreTransfer) {
  const auto before = judged_file(test_data("h200/large_pageable_copy.json.gz"));
  ASSERT_TRUE(before);
  const model::WorkTable& work = before->built->profile.work;
  double gain = gain_of_change(*before, "pin-copies");
  double share = before->share("copy.exposed.h2d.pageable");
  for (const double factor : {1.5, 3.0}) {
    graph::Scenario s = graph::as_recorded(before->graph());
    for (std::size_t row = 0; row < work.size(); ++row) {
      if (work.source_memory[row] != model::MemoryKind::kPageable) continue;
      s.work_ns[row] = static_cast<std::int64_t>(static_cast<double>(s.work_ns[row]) * factor);
    }
    const auto after = judged(retimed(before->graph(), s));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->verdict.limit, Limit::kTransfer);
    EXPECT_GT(gain_of_change(*after, "pin-copies"), gain);
    EXPECT_GT(after->share("copy.exposed.h2d.pageable"), share);
    ASSERT_NE(after->finding("pageable_copies"), nullptr);
    gain = gain_of_change(*after, "pin-copies");
    share = after->share("copy.exposed.h2d.pageable");
  }
}

void expect_more_input(const char* file) {
  const auto before = judged_file(test_data(file));
  ASSERT_TRUE(before);
  double gain = before->gain_of(Limit::kInput);
  double share = before->share("idle.starved.input");
  for (const double factor : {2.0, 4.0}) {
    graph::Scenario s = graph::as_recorded(before->graph());
    for (std::size_t k = 0; k < s.part_ns.size(); ++k) {
      if (before->graph().parts[k].host_class != HostClass::kInput) continue;
      s.part_ns[k] = static_cast<std::int64_t>(static_cast<double>(s.part_ns[k]) * factor);
    }
    const auto after = judged(retimed(before->graph(), s));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->verdict.limit, Limit::kInput);
    EXPECT_GT(after->gain_of(Limit::kInput), gain);
    EXPECT_GT(after->share("idle.starved.input"), share);
    ASSERT_NE(after->finding("input_starved"), nullptr);
    gain = after->gain_of(Limit::kInput);
    share = after->share("idle.starved.input");
  }
}

TEST(Mutation, LongerInputIsMoreStarvation) {
  expect_more_input("h200/loader_starved.json.gz");
  expect_more_input("h200/loader_steady_w0.json.gz");
}

// And the other way: input that takes next to no time is no limit any more.
TEST(Mutation, ShorterInputIsNoLimit) {
  const auto before = judged_file(test_data("h200/loader_steady_w0.json.gz"));
  ASSERT_TRUE(before);
  graph::Scenario s = graph::as_recorded(before->graph());
  for (std::size_t k = 0; k < s.part_ns.size(); ++k) {
    if (before->graph().parts[k].host_class == HostClass::kInput) s.part_ns[k] /= 1000;
  }
  const auto after = judged(retimed(before->graph(), s));
  ASSERT_TRUE(after);
  EXPECT_NE(after->verdict.limit, Limit::kInput);
  EXPECT_LT(after->gain_of(Limit::kInput), 1.10);
}

// Nothing edited: the warp itself moves nothing that is reported.
TEST(Mutation, ARecordingThatIsOnlyRetimedIsJudgedAsBefore) {
  for (const char* file : {"h200/sync_bound.json.gz", "h200/launch_bound.json.gz",
                           "h200/large_pageable_copy.json.gz", "h200/loader_starved.json.gz"}) {
    SCOPED_TRACE(file);
    const auto before = judged_file(test_data(file));
    ASSERT_TRUE(before);
    const auto after = judged(retimed(before->graph(), graph::as_recorded(before->graph())));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->verdict.limit, before->verdict.limit);
    EXPECT_EQ(after->verdict.state, before->verdict.state);
    for (const Limit limit : {Limit::kInput, Limit::kLaunch, Limit::kHost, Limit::kSync}) {
      EXPECT_NEAR(after->gain_of(limit) / before->gain_of(limit), 1, 0.1) << to_string(limit);
    }
  }
}

}  // namespace
}  // namespace rooflab::verdict
