// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/analysis/peers_support.h"

namespace rooflab::analysis {
namespace {

using model::SpanKind;
using testing::figure;
using testing::HandMade;

// Two steps of 100 us: 30 us in the loader, an operator that launches a kernel and a copy.
HandMade two_steps() {
  HandMade trace;
  for (const std::int64_t t : {0, 100000}) {
    trace.span(SpanKind::kUserRange, t == 0 ? "ProfilerStep#3" : "ProfilerStep#4", t, t + 100000);
    trace.span(SpanKind::kUserRange, "enumerate(DataLoader)#_SingleProcess.__next__", t, t + 30000);
    trace.span(SpanKind::kOp, "aten::mm", t + 30000, t + 50000);
    const auto launch = trace.launch("cudaLaunchKernel", t + 35000, t + 40000);
    trace.kernel("gemm", t + 40000, t + 70000, launch);
    const auto copy = trace.launch("cudaMemcpyAsync", t + 42000, t + 45000);
    trace.copy("Memcpy DtoH", t + 60000, t + 80000, copy);
  }
  return trace;
}

TEST(Tensorboard, TimeBelongsToTheFirstRole) {
  const auto report = peer_tensorboard().figures(two_steps().build());
  ASSERT_TRUE(report);
  for (const char* step : {"step 3", "step 4", "average"}) {
    EXPECT_EQ(figure(*report, step, "total_us"), 100);
    EXPECT_EQ(figure(*report, step, "kernel_us"), 30);
    EXPECT_EQ(figure(*report, step, "memcpy_us"), 10);
    EXPECT_EQ(figure(*report, step, "runtime_us"), 5);
    EXPECT_EQ(figure(*report, step, "data_loader_us"), 30);
    EXPECT_EQ(figure(*report, step, "cpu_exec_us"), 5);
    EXPECT_EQ(figure(*report, step, "other_us"), 20);
  }
  EXPECT_DOUBLE_EQ(figure(*report, "average", "data_loader_percent"), 30);
  EXPECT_EQ(figure(*report, "average", "advises_loader_workers"), 1);
  EXPECT_DOUBLE_EQ(figure(*report, "device 0", "gpu_utilization_percent"), 30);
}

TEST(Tensorboard, AStepLastsUntilItsWorkHasEnded) {
  HandMade trace = two_steps();
  trace.kernel("late", 110000, 120000, trace.launch("cudaLaunchKernel", 90000, 91000));
  trace.kernel("next", 170000, 171000, trace.launch("cudaLaunchKernel", 160000, 161000));
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "step 3", "total_us"), 120);
  EXPECT_EQ(figure(*report, "step 4", "total_us"), 80);
}

TEST(Tensorboard, ALastStepWithLessWorkIsDropped) {
  HandMade trace = two_steps();
  trace.kernel("a", 81000, 82000, trace.launch("cudaLaunchKernel", 80000, 81000));
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  for (const PeerRow& row : report->rows) EXPECT_NE(row.label, "step 4");  // 2 works < 0.8 x 3
}

TEST(Tensorboard, MarkersOnStreamsHalveTheAverage) {
  HandMade trace = two_steps();
  trace.span(SpanKind::kDeviceRange, "ProfilerStep#3", 39999, 80002);
  trace.span(SpanKind::kDeviceRange, "ProfilerStep#4", 139999, 180002);
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "average", "total_us"), 100);
  // The last of the four launches nothing and is dropped: 200 us over three steps.
  EXPECT_NEAR(figure(*report, "average, markers on streams counted as steps", "total_us"),
              200.0 / 3, 1e-9);
}

TEST(Tensorboard, KernelsOfACollectiveOperatorAreCommunication) {
  HandMade trace;
  trace.span(SpanKind::kOp, "nccl:all_reduce", 0, 10000);
  trace.kernel("ncclKernel", 20000, 30000, trace.launch("cudaLaunchKernel", 1000, 2000));
  trace.span(SpanKind::kOp, "aten::copy_", 3000, 6000);
  trace.kernel("copy", 40000, 50000, trace.launch("cudaLaunchKernel", 4000, 5000));
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  // No marker: one step over all operators, to the end of their work.
  EXPECT_EQ(figure(*report, "step 0", "total_us"), 50);
  EXPECT_EQ(figure(*report, "step 0", "kernel_us"), 10);
  EXPECT_EQ(figure(*report, "step 0", "communication_us"), 20);
}

TEST(Tensorboard, EfficiencyIsBlocksPerMultiprocessorAtMostOne) {
  HandMade trace;
  model::Builder& b = trace.builder();
  trace.span(SpanKind::kOp, "aten::mm", 0, 100000);
  b.profile().devices[b.device(0).row].multiprocessors = 80;
  model::LaunchConfig half;
  half.grid = {40, 1, 1};
  half.occupancy_percent = 20;
  model::LaunchConfig full;
  full.grid = {10, 32, 1};
  full.occupancy_percent = 60;
  trace.kernel("a", 0, 20000, trace.launch("l", 0, 10), b.launch_config(half));
  trace.kernel("b", 50000, 60000, trace.launch("l", 20, 30), b.launch_config(full));
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_NEAR(figure(*report, "device 0", "sm_efficiency_percent"), 20, 1e-9);
  EXPECT_NEAR(figure(*report, "device 0", "occupancy_percent"), (20 * 2 + 60) / 3.0, 1e-9);
}

TEST(Tensorboard, WithoutStepsAndOperatorsThereIsNoFigure) {
  HandMade trace;
  trace.kernel("a", 0, 1000);
  const auto report = peer_tensorboard().figures(std::move(trace).build());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInconclusive);
}

TEST(Tensorboard, HostileTimesDoNotOverflow) {
  HandMade trace;
  trace.span(SpanKind::kOp, "a", kNanosMin.value, kNanosMin.value + 1);
  trace.span(SpanKind::kUserRange, "ProfilerStep#1", 0, kNanosMax.value);
  trace.kernel("b", kNanosMax.value - 1, kNanosMax.value, trace.launch("l", 0, 1));
  EXPECT_TRUE(peer_tensorboard().figures(std::move(trace).build()));
}

}  // namespace
}  // namespace rooflab::analysis
