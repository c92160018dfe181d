// SPDX-License-Identifier: Apache-2.0
// Whole-file figures: unions, copies by kind, run-ahead.
#include "analysis/metrics.h"

#include <gtest/gtest.h>

#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using testing::kElementwise;
using testing::kGemm;
using testing::TinyTrace;

Metrics metrics(TinyTrace&& trace) {
  const model::Profile p = std::move(trace).build();
  return device_metrics(p, classify_kernels(p));
}

TEST(Metrics, ConcurrentWorkCountsOnceInBusyAndTwiceInTheSum) {
  TinyTrace t;
  t.kernel(kGemm, {.start = 0, .duration = 100, .stream = 1});
  t.kernel(kElementwise, {.start = 50, .duration = 100, .stream = 2});
  t.memset({.start = 140, .duration = 20, .stream = 1});
  t.kernel(kGemm, {.start = 190, .duration = 10, .stream = 1});
  const Metrics m = metrics(std::move(t));
  EXPECT_EQ(m.total.kernel_count, 3);
  EXPECT_EQ(m.total.kernel_sum, Nanos(210));
  EXPECT_EQ(m.total.kernel_union, Nanos(160));
  EXPECT_EQ(m.total.busy, Nanos(170));
  EXPECT_EQ(m.total.span, Nanos(200));
  EXPECT_EQ(m.total.memset_count, 1);
  EXPECT_EQ(m.total.unlinked, 4);
  EXPECT_DOUBLE_EQ(m.gpu_busy_ratio, 0.85);
}

TEST(Metrics, TheHeadlineIsTheMeanOverDevicesNotTheirUnion) {
  TinyTrace t;
  t.kernel(kGemm, {.start = 0, .duration = 50, .device = 0});
  t.kernel(kGemm, {.start = 99, .duration = 1, .device = 0});
  t.kernel(kGemm, {.start = 50, .duration = 25, .device = 1});
  t.kernel(kGemm, {.start = 149, .duration = 1, .device = 1});
  const Metrics m = metrics(std::move(t));
  ASSERT_EQ(m.devices.size(), 2U);
  EXPECT_DOUBLE_EQ(m.gpu_busy_ratio, (0.51 + 0.26) / 2);
  EXPECT_EQ(m.total.work_count, 4);
  EXPECT_EQ(m.total.busy, Nanos(77));
}

TEST(Metrics, CopiesByDirectionAndHostMemoryWithTheirRate) {
  TinyTrace t;
  const auto copy = [&t](std::int64_t at, CopyDirection d, MemoryKind from, MemoryKind to,
                         std::int64_t bytes) {
    t.copy({.start = at, .duration = 10}, d, from, to, bytes);
  };
  copy(0, CopyDirection::kHostToDevice, MemoryKind::kPinned, MemoryKind::kDevice, 500);
  copy(20, CopyDirection::kHostToDevice, MemoryKind::kPinned, MemoryKind::kDevice, 500);
  copy(40, CopyDirection::kHostToDevice, MemoryKind::kPageable, MemoryKind::kDevice, -1);
  copy(60, CopyDirection::kDeviceToHost, MemoryKind::kDevice, MemoryKind::kPageable, 7);
  copy(80, CopyDirection::kDeviceToDevice, MemoryKind::kDevice, MemoryKind::kDevice, 7);
  t.kernel("__amd_rocclr_copyBuffer.kd", {.start = 100, .duration = 10});
  const Metrics m = metrics(std::move(t));
  ASSERT_EQ(m.total.copies.size(), 5U);
  const CopyGroup& blit = m.total.copies[0];
  EXPECT_EQ(blit.count, 1);  // a kernel that is a copy, of unknown direction
  const CopyGroup& pageable = m.total.copies[1];
  EXPECT_EQ(pageable.memory, MemoryKind::kPageable);
  EXPECT_EQ(pageable.sized, 0);
  EXPECT_DOUBLE_EQ(pageable.bytes_per_second(), 0);
  const CopyGroup& pinned = m.total.copies[2];
  EXPECT_EQ(pinned.memory, MemoryKind::kPinned);
  EXPECT_EQ(pinned.count, 2);
  EXPECT_EQ(pinned.bytes, Bytes(1000));
  EXPECT_DOUBLE_EQ(pinned.bytes_per_second(), 1000 / 20e-9);
}

TEST(Metrics, RunAheadIsFromTheEndOfTheCallToTheStartOfTheKernel) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 15, .duration = 5});
  t.launch(1, 20, 10, kGemm, {.start = 130, .duration = 5});
  t.launch(1, 40, 12, kGemm, {.start = 1052, .duration = 5});
  const Metrics m = metrics(std::move(t));
  EXPECT_EQ(m.total.run_ahead_median, Nanos(100));
  EXPECT_EQ(m.total.launch_call_median, Nanos(10));
  EXPECT_EQ(m.total.launched, 3);
}

TEST(Metrics, AFileWithoutDeviceWorkHasNone) {
  TinyTrace t;
  t.op(1, 0, 10, "aten::mm");
  const Metrics m = metrics(std::move(t));
  EXPECT_TRUE(m.devices.empty());
  EXPECT_EQ(m.total.work_count, 0);
  EXPECT_DOUBLE_EQ(m.gpu_busy_ratio, 0);
}

}  // namespace
}  // namespace rooflab::analysis
