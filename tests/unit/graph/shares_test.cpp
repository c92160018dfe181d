// SPDX-License-Identifier: Apache-2.0
// Owners of a re-timed run: exact on a hand-made profile, near the accounting on recordings, and
// what changes do to them.
#include "graph/shares.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/owner_totals.h"
#include "graph/edits.h"
#include "support/built_graph.h"
#include "support/cases.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::analysed;
using rooflab::testing::built;
using rooflab::testing::test_data;
using rooflab::testing::TinyTrace;
using rooflab::testing::with_round_latencies;

std::map<std::string, std::int64_t> by_name(const Shares& shares) {
  std::map<std::string, std::int64_t> out;
  for (const analysis::OwnerShare& share : shares.owners) out[share.owner] = share.time.value;
  return out;
}

double branch(const Shares& shares, std::string_view name) {
  double sum = 0;
  for (const analysis::OwnerShare& share : shares.owners) {
    if (analysis::in_branch(share.owner, name)) sum += ratio_of(share.time, shares.total).value;
  }
  return sum;
}

std::int64_t sum(const Shares& shares) {
  std::int64_t out = 0;
  for (const analysis::OwnerShare& share : shares.owners) out += share.time.value;
  return out;
}

TEST(Shares, AGapIsCutAtTheSimulatedLaunch) {
  TinyTrace t;
  t.launch(1, 0, 1000, std::string(rooflab::testing::kGemm), {.start = 2000, .duration = 3000});
  t.range(1, 6000, 2500, "load_batch");
  t.launch(1, 9000, 500, std::string(rooflab::testing::kGemm), {.start = 12'000, .duration = 700});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Shares shares = shares_of(b->graph, with_round_latencies(b->graph));
  // The first runs 1100-4100, the second is called at 9000 and runs 9600-10300.
  const std::map<std::string, std::int64_t> expected{{"compute.gemm", 3700},
                                                     {"idle.starved.input:load_batch", 2500},
                                                     {"idle.starved.unknown", 1900 + 500},
                                                     {"idle.in_call", 500},
                                                     {"idle.dispatch", 100}};
  EXPECT_EQ(by_name(shares), expected);
  EXPECT_EQ(shares.total.value, 10'300 - 1'100);
}

TEST(Shares, AddUpToTheStepsAndFollowTheAccountingOnRecordings) {
  for (const char* name : {"loader_starved", "launch_bound", "large_pageable_copy", "sync_bound",
                           "transformer_healthy", "elementwise_memory_bound"}) {
    const auto r = analysed(test_data(std::string("h200/") + name + ".json.gz"));
    ASSERT_TRUE(r);
    const Graph g = build_graph(r->analysis);
    const Shares shares = shares_of(g, as_recorded(g));
    EXPECT_EQ(sum(shares), shares.total.value) << name;
    for (const char* owner : {"compute", "copy", "idle.starved.input"}) {
      EXPECT_NEAR(branch(shares, owner),
                  analysis::branch_ratio(r->analysis.accounting, owner).value, 0.02)
          << name << " " << owner;
    }
  }
}

TEST(Shares, FeedingTheLoaderLeavesNoInputTime) {
  const auto r = analysed(test_data("h200/loader_starved.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  Scenario s = as_recorded(g);
  EXPECT_GT(branch(shares_of(g, s), "idle.starved.input"), 0.9);
  ASSERT_GT(remove_host(g, {analysis::HostClass::kInput}, {}, s), 0);
  const Shares after = shares_of(g, s);
  EXPECT_EQ(branch(after, "idle.starved.input"), 0);
  EXPECT_EQ(sum(after), after.total.value);
  EXPECT_GT(branch(after, "compute"), 0.05);
}

TEST(Shares, GraphsTurnLaunchTimeIntoGapsBetweenNodes) {
  const auto r = analysed(test_data("h200/launch_bound.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  Scenario s = as_recorded(g);
  const Shares before = shares_of(g, s);
  replay_as_graphs(g, capture_runs(g, s, 2), Outlook::kLikely, s);
  const Shares after = shares_of(g, s);
  EXPECT_GT(branch(before, "idle.starved") + branch(before, "idle.in_call"), 0.5);
  EXPECT_GT(branch(after, "idle.graph"), 0.05);
  EXPECT_GT(branch(after, "compute"), 3 * branch(before, "compute"));
}

// A hidden copy owns time only as far as it needs longer than a step.
TEST(Shares, AnEngineThatIsTheLimitOwnsTheRest) {
  const auto r = analysed(test_data("h200/large_pinned_copy.json.gz"));
  ASSERT_TRUE(r);
  const Graph g = build_graph(r->analysis);
  Scenario s = as_recorded(g);
  const Change* overlap = find_change("overlap-copies");
  ASSERT_NE(overlap, nullptr);
  ASSERT_TRUE(overlap->apply(g, {}, Outlook::kLikely, s));
  const Timing timing = simulate(g, s);
  ASSERT_GT(timing.engine_ns, 0);
  const Shares shares = shares_of(g, s);
  EXPECT_NEAR(branch(shares, "copy"), timing.engine_ns / timing.step_ns, 0.01);
  EXPECT_EQ(sum(shares), shares.total.value);
}

}  // namespace
}  // namespace rooflab::graph
