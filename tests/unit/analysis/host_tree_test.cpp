// SPDX-License-Identifier: Apache-2.0
// Nesting of host spans, crossing spans included.
#include "analysis/host_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;
using testing::TinyTrace;

SpanId find(const model::Profile& p, std::string_view name) {
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.span_name(SpanId(i)) == name) return SpanId(i);
  }
  return {};
}

std::string parent_name(const model::Profile& p, const HostTree& tree, std::string_view name) {
  const SpanId parent = tree.parent[find(p, name).row];
  return parent.valid() ? std::string(p.span_name(parent)) : "-";
}

TEST(HostTree, NestsByTime) {
  TinyTrace t;
  t.op(1, 0, 100, "outer");
  t.op(1, 10, 20, "first");
  t.call(1, 12, 5, "call");
  t.op(1, 40, 20, "second");
  t.op(2, 10, 20, "other thread");
  const model::Profile p = std::move(t).build();
  const HostTree tree = build_host_tree(p);
  EXPECT_EQ(parent_name(p, tree, "outer"), "-");
  EXPECT_EQ(parent_name(p, tree, "first"), "outer");
  EXPECT_EQ(parent_name(p, tree, "call"), "first");
  EXPECT_EQ(parent_name(p, tree, "second"), "outer");
  EXPECT_EQ(parent_name(p, tree, "other thread"), "-");
  const model::TrackId track = p.spans.track[find(p, "outer").row];
  EXPECT_EQ(tree.innermost_at(p, track, 13), find(p, "call"));
  EXPECT_EQ(tree.innermost_at(p, track, 17), find(p, "first"));
  EXPECT_EQ(tree.innermost_at(p, track, 35), find(p, "outer"));
  EXPECT_FALSE(tree.innermost_at(p, track, 100).valid());
  EXPECT_FALSE(tree.innermost_at(p, track, -1).valid());
  EXPECT_EQ(tree.enclosing(p, find(p, "call"), SpanKind::kOp), find(p, "first"));
  EXPECT_FALSE(tree.enclosing(p, find(p, "call"), SpanKind::kPython).valid());
}

TEST(HostTree, CrossingSpanBelongsToTheOneThatHoldsItWhole) {
  TinyTrace t;
  t.op(1, 0, 100, "outer");
  t.op(1, 10, 20, "cut short");  // ends at 30
  t.op(1, 20, 20, "crossing");   // 20 to 40
  t.op(1, 25, 4, "inside both");
  const model::Profile p = std::move(t).build();
  const HostTree tree = build_host_tree(p);
  EXPECT_EQ(parent_name(p, tree, "crossing"), "outer");
  EXPECT_EQ(parent_name(p, tree, "inside both"), "crossing");
}

TEST(HostTree, OperatorOfWorkIsTheInnermostAroundItsLaunch) {
  TinyTrace t;
  t.op(1, 0, 100, "aten::linear");
  t.op(1, 5, 90, "aten::addmm");
  t.launch(1, 10, 5, testing::kGemm, {.start = 30, .duration = 10});
  t.launch(1, 200, 5, testing::kGemm, {.start = 230, .duration = 10});
  const model::Profile p = std::move(t).build();
  const auto ops = ops_of_work(p, build_host_tree(p));
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(p.span_name(ops[0]), "aten::addmm");
  EXPECT_FALSE(ops[1].valid());
}

// Many spans that all cross: a pass that looks at each open one again would take minutes here.
TEST(HostTree, ManyCrossingSpansStayLinear) {
  TinyTrace t;
  constexpr std::int64_t kSpans = 200000;
  for (std::int64_t i = 0; i < kSpans; ++i) t.op(1, i, kSpans, "crossing");
  const model::Profile p = std::move(t).build();
  const HostTree tree = build_host_tree(p);
  for (const SpanId parent : tree.parent) EXPECT_FALSE(parent.valid());
}

TEST(HostTree, AgreesWithTheDefinitionOnRandomSpans) {
  EXPECT_TRUE(
      rc::check("the parent is the latest-starting earlier span that holds the whole span", [] {
        TinyTrace t;
        const int count = *rc::gen::inRange(0, 40);
        for (int i = 0; i < count; ++i) {
          t.op(*rc::gen::inRange(1, 3), *rc::gen::inRange(0, 60), *rc::gen::inRange(0, 30),
               std::to_string(i));
        }
        const model::Profile p = std::move(t).build();
        const HostTree tree = build_host_tree(p);
        for (std::size_t row = 0; row < p.spans.size(); ++row) {
          SpanId expected;
          for (std::size_t other = 0; other < row; ++other) {
            const bool holds = p.spans.track[other] == p.spans.track[row] &&
                               p.spans.end(other) >= p.spans.end(row) &&
                               p.spans.end(other) > p.spans.start[row];
            if (holds) expected = SpanId(other);
          }
          RC_ASSERT(tree.parent[row] == expected);
        }
      }));
}

}  // namespace
}  // namespace rooflab::analysis
