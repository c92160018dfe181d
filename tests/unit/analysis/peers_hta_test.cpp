// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/analysis/peers_support.h"

namespace rooflab::analysis {
namespace {

using model::SpanKind;
using testing::figure;
using testing::HandMade;

TEST(Hta, CollectivesAndCopiesAreNonCompute) {
  HandMade trace;
  trace.kernel("gemm", 10000, 40000);
  trace.kernel("ncclDevKernel_AllReduce", 30000, 60000);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 70000, 80000);
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "gpu_kernels"), 3);
  EXPECT_EQ(figure(*report, "file", "compute_us"), 30);
  EXPECT_EQ(figure(*report, "file", "idle_us"), 10);
  EXPECT_EQ(figure(*report, "file", "non_compute_us"), 30);
  EXPECT_EQ(figure(*report, "file", "total_us"), 70);
  EXPECT_DOUBLE_EQ(figure(*report, "file", "idle_percent"), 100.0 / 7);
}

TEST(Hta, WorkOfTheLastStepIsDropped) {
  HandMade trace;
  trace.span(SpanKind::kUserRange, "ProfilerStep#1", 0, 50000);
  trace.kernel("a", 20000, 30000, trace.launch("cudaLaunchKernel", 10000, 12000));
  trace.span(SpanKind::kUserRange, "ProfilerStep#2", 50000, 90000);
  trace.kernel("b", 60000, 70000, trace.launch("cudaLaunchKernel", 55000, 56000));
  trace.kernel("unlinked", 31000, 32000);
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "gpu_kernels"), 1);
  EXPECT_EQ(figure(*report, "file", "total_us"), 10);
}

// Rank 0 of a recording whose markers are projected on streams: the last one starts late there.
TEST(Hta, AMarkerOnAStreamMovesTheCut) {
  HandMade trace;
  trace.span(SpanKind::kUserRange, "ProfilerStep#1", 0, 50000);
  trace.span(SpanKind::kUserRange, "ProfilerStep#2", 50000, 90000);
  trace.span(SpanKind::kDeviceRange, "ProfilerStep#2", 60000, 70000);
  trace.kernel("b", 60000, 70000, trace.launch("cudaLaunchKernel", 55000, 56000));
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "gpu_kernels"), 1);
}

TEST(Hta, ShortKernelsCountAsLessThanNothing) {
  HandMade trace;
  trace.kernel("a", 1200, 1900);  // from 2 up to 1
  trace.kernel("b", 5000, 9000);
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "compute_us"), 3);
  EXPECT_EQ(figure(*report, "file", "idle_us"), 4);
  EXPECT_EQ(figure(*report, "file", "total_us"), 7);
}

TEST(Hta, TimesAreThoseOfTheFile) {
  HandMade trace;
  trace.kernel("a", 250, 2250);
  trace.builder().profile().provenance.epoch_ns = 1790857026000000750;
  trace.builder().profile().provenance.metadata.emplace_back("baseTimeNanoseconds",
                                                             "1790857026000000000");
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "compute_us"), 2);  // 1.000 to 3.000 us in the file
}

TEST(Hta, RecordsOfWaitsCountAsDeviceEvents) {
  HandMade trace;
  const auto call = trace.launch("cudaStreamWaitEvent", 1000, 2000);
  trace.kernel("a", 10000, 20000);
  trace.wait("Stream Wait Event", 20000, 30000, call);
  const auto report = peer_hta().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_EQ(figure(*report, "file", "gpu_kernels"), 2);
  EXPECT_EQ(figure(*report, "file", "total_us"), 20);
  EXPECT_EQ(figure(*report, "file", "compute_us"), 20);  // not named a sync, so compute to it
}

TEST(Hta, WithoutDeviceEventsThereIsNoFigure) {
  const auto report = peer_hta().figures(HandMade().build());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInconclusive);
}

TEST(Hta, HostileTimesDoNotOverflow) {
  HandMade trace;
  trace.kernel("a", kNanosMin.value, kNanosMin.value + 1);
  trace.kernel("b", kNanosMax.value - 1, kNanosMax.value);
  trace.copy("c", 0, kNanosMax.value);
  trace.builder().profile().provenance.epoch_ns = kNanosMax.value;
  EXPECT_TRUE(peer_hta().figures(std::move(trace).build()));
}

}  // namespace
}  // namespace rooflab::analysis
