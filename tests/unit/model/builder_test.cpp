// SPDX-License-Identifier: Apache-2.0
#include "model/builder.h"

#include <gtest/gtest.h>

namespace rooflab::model {
namespace {

SpanRow call(Builder& b, std::int64_t start, std::int64_t duration, std::int64_t correlation,
             std::int64_t pid = 1) {
  SpanRow row;
  row.start = start;
  row.duration = duration;
  row.name = b.intern("launch");
  row.track = b.thread_track(pid, pid);
  row.kind = SpanKind::kRuntimeCall;
  row.correlation = correlation;
  return row;
}

SpanRow op(Builder& b, std::int64_t start, std::int64_t duration, std::string_view name,
           std::int64_t external_id = -1) {
  SpanRow row = call(b, start, duration, -1);
  row.kind = SpanKind::kOp;
  row.name = b.intern(name);
  row.external_id = external_id;
  return row;
}

WorkRow kernel(Builder& b, std::int64_t start, std::int64_t duration, std::int64_t correlation,
               std::int64_t pid = -1) {
  WorkRow row;
  row.start = start;
  row.duration = duration;
  row.name = b.intern("kernel");
  row.track = b.stream_track(0, 7, pid);
  row.correlation = correlation;
  return row;
}

TEST(Builder, ParentsComeBeforeChildrenAndLaterRowsBehind) {
  Builder b("x");
  b.add(op(b, 20, 5, "late"));
  b.add(op(b, 10, 4, "child"));
  b.add(op(b, 10, 30, "parent"));
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.span_name(SpanId(0U)), "parent");
  EXPECT_EQ(p.span_name(SpanId(1U)), "child");
  EXPECT_EQ(p.span_name(SpanId(2U)), "late");
  EXPECT_EQ(p.hygiene.count("out_of_order"), 1);
}

TEST(Builder, LinksManyWorksToOneCallAndCountsTheRest) {
  Builder b("x");
  b.add(kernel(b, 100, 5, 8));
  b.add(kernel(b, 110, 5, 8));  // a graph launch: one call, two kernels
  b.add(kernel(b, 120, 5, 9));  // its call is not in the file
  b.add(call(b, 50, 10, 7));
  b.add(call(b, 70, 10, 8));
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.spans.correlation[p.work.launch[0].row], 8);
  EXPECT_EQ(p.work.launch[0], p.work.launch[1]);
  EXPECT_FALSE(p.work.launch[2].valid());
  EXPECT_EQ(p.hygiene.count("unlinked_work"), 1);
  EXPECT_EQ(p.work.size(), 3U) << "device work is never dropped";
}

TEST(Builder, AnUnlinkedKernelKeepsItsOperatorByExternalId) {
  Builder b("x");
  b.add(op(b, 0, 10, "aten::mm", 42));
  WorkRow row = kernel(b, 100, 5, 9);
  row.external_id = 42;
  b.add(row);
  const Profile p = std::move(b).build();
  ASSERT_TRUE(p.work.op[0].valid());
  EXPECT_EQ(p.span_name(p.work.op[0]), "aten::mm");
}

TEST(Builder, CorrelationsOfDifferentProcessesDoNotMix) {
  Builder b("x");
  b.add(call(b, 10, 1, 5, 1));
  b.add(call(b, 20, 1, 5, 2));
  b.add(kernel(b, 30, 1, 5, 1));
  b.add(kernel(b, 40, 1, 5, 2));
  const Profile p = std::move(b).build();
  ASSERT_TRUE(p.work.launch[0].valid());
  ASSERT_TRUE(p.work.launch[1].valid());
  EXPECT_EQ(p.spans.start[p.work.launch[0].row], 10);
  EXPECT_EQ(p.spans.start[p.work.launch[1].row], 20);
  EXPECT_EQ(p.hygiene.count("duplicate_correlation"), 0);
}

TEST(Builder, AStreamOfAnUnknownProcessTakesTheLatestCallBeforeTheWork) {
  Builder b("x");
  b.add(call(b, 10, 1, 5, 1));
  b.add(call(b, 20, 1, 5, 2));
  b.add(call(b, 90, 1, 5, 3));
  b.add(kernel(b, 40, 1, 5));
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.spans.start[p.work.launch[0].row], 20);
}

TEST(Builder, WideSpreadCorrelationsAreFoundToo) {
  Builder b("x");
  b.add(call(b, 10, 1, 5));
  b.add(call(b, 20, 1, 4000000000000LL));
  b.add(kernel(b, 40, 1, 4000000000000LL));
  b.add(kernel(b, 50, 1, 6));
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.spans.start[p.work.launch[0].row], 20);
  EXPECT_FALSE(p.work.launch[1].valid());
}

TEST(Builder, CountsZeroNegativeAndOverlappingWork) {
  Builder b("x");
  b.add(kernel(b, 0, 10, -1));
  b.add(kernel(b, 5, 10, -1));
  b.add(kernel(b, 20, 0, -1));
  b.add(kernel(b, 30, -4, -1));
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.hygiene.count("stream_overlap"), 1);
  EXPECT_EQ(p.hygiene.count("zero_duration"), 2);
  EXPECT_EQ(p.hygiene.count("negative_duration"), 1);
  EXPECT_EQ(p.work.duration[3], 0);
}

TEST(Builder, ForwardBackwardJoinsTheInnermostOperatorThatStartsThere) {
  Builder b("x");
  b.add(op(b, 10, 30, "aten::linear"));
  b.add(op(b, 10, 20, "aten::addmm"));
  SpanRow backward = op(b, 100, 20, "AddmmBackward0");
  backward.track = b.thread_track(1, 2);
  b.add(backward);
  b.add_forward_backward(3, b.thread_track(1, 2), 100, false);
  b.add_forward_backward(3, b.thread_track(1, 1), 10, true);
  b.add_forward_backward(4, b.thread_track(1, 1), 11, true);
  const Profile p = std::move(b).build();
  ASSERT_EQ(p.forward_backward.size(), 1U);
  EXPECT_EQ(p.span_name(p.forward_backward[0].forward), "aten::addmm");
  EXPECT_EQ(p.span_name(p.forward_backward[0].backward), "AddmmBackward0");
  EXPECT_EQ(p.hygiene.count("unmatched_flow"), 1);
}

TEST(Builder, ShiftingMovesEveryTimeAndHoldsAtTheLimit) {
  Builder b("x");
  b.add(op(b, 5, 1, "a"));
  b.add(kernel(b, 6, 1, -1));
  b.add_instant(kNanosMax.value - 1, b.thread_track(1, 1), b.intern("i"));
  b.shift_times(100);
  const Profile p = std::move(b).build();
  EXPECT_EQ(p.spans.start[0], 105);
  EXPECT_EQ(p.work.start[0], 106);
  EXPECT_EQ(p.instants.time[0], kNanosMax.value);
}

}  // namespace
}  // namespace rooflab::model
