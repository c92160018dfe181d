// SPDX-License-Identifier: Apache-2.0
#include "graph/host_order.h"

#include <gtest/gtest.h>

#include "support/built_graph.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::built;
using rooflab::testing::kElementwise;
using rooflab::testing::TinyTrace;

std::int64_t host_before(const Graph& g, std::size_t i) {
  std::int64_t sum = 0;
  for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
    sum += g.parts[k].ns;
  }
  return sum;
}

TEST(HostOrder, AnchorsOfAThreadFollowOneAnother) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    t.launch(1, i * 5000, 1000, kElementwise, {.start = i * 5000 + 2000, .duration = 10});
  }
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 4U);
  EXPECT_EQ(b->graph.anchors[0].after, kNoAnchor);
  for (std::uint32_t i = 1; i < 4; ++i) {
    EXPECT_EQ(b->graph.anchors[i].after, i - 1);
    EXPECT_FALSE(b->graph.anchors[i].handed_off);
    EXPECT_EQ(host_before(b->graph, i), 4000);
  }
}

// A backward pass: the main thread sits in one operator while another thread launches.
TEST(HostOrder, ASilentThreadFollowsTheOneThatRanMeanwhile) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 2000, 98'000, "backward");
  t.op(2, 10'000, 70'000, "autograd");
  t.launch(2, 20'000, 1000, kElementwise, {.start = 23'000, .duration = 10});
  t.launch(2, 70'000, 1000, kElementwise, {.start = 73'000, .duration = 10});
  t.launch(1, 105'000, 1000, kElementwise, {.start = 108'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  const Graph& g = b->graph;
  ASSERT_EQ(g.anchor_count(), 4U);
  EXPECT_EQ(g.anchors[1].after, 0U) << "the other thread's first call";
  EXPECT_TRUE(g.anchors[1].handed_off);
  EXPECT_EQ(host_before(g, 1), 19'000) << "its silence before its first record counts";
  EXPECT_EQ(g.anchors[2].after, 1U);
  EXPECT_FALSE(g.anchors[2].handed_off);
  EXPECT_EQ(g.anchors[3].after, 2U) << "the main thread was silent from 2 to 100 us";
  EXPECT_TRUE(g.anchors[3].handed_off);
  EXPECT_EQ(host_before(g, 3), 105'000 - 71'000) << "only what came after the other's last call";
}

TEST(HostOrder, AThreadThatWorkedMeanwhileFollowsItself) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  for (int i = 0; i < 10; ++i) t.op(1, 2000 + i * 10'000, 9'000, "aten::busy");
  t.launch(2, 20'000, 1000, kElementwise, {.start = 23'000, .duration = 10});
  t.launch(1, 105'000, 1000, kElementwise, {.start = 108'000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  ASSERT_EQ(b->graph.anchor_count(), 3U);
  EXPECT_EQ(b->graph.anchors[2].after, 0U);
  EXPECT_FALSE(b->graph.anchors[2].handed_off);
  EXPECT_EQ(host_before(b->graph, 2), 104'000);
}

TEST(HostOrder, SpansKnowTheAnchorTheyAre) {
  TinyTrace t;
  t.launch(1, 0, 1000, kElementwise, {.start = 3000, .duration = 10});
  t.op(1, 5000, 2000, "aten::add");
  t.launch(1, 5500, 1000, kElementwise, {.start = 8000, .duration = 10});
  const auto b = built(std::move(t));
  ASSERT_TRUE(b);
  Graph g;
  g.analysis = &b->analysis;
  const HostOrder order = order_host(b->analysis, g);
  ASSERT_EQ(order.anchor_of_span.size(), 3U);
  EXPECT_EQ(order.anchor_of_span[0], 0U);
  EXPECT_EQ(order.anchor_of_span[1], kNoAnchor);
  EXPECT_EQ(order.anchor_of_span[2], 1U);
}

}  // namespace
}  // namespace rooflab::graph
