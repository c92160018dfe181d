// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "unit/analysis/peers_support.h"

namespace rooflab::analysis {
namespace {

using testing::figure;
using testing::HandMade;

TEST(Tracelens, HigherClassesCoverLowerOnes) {
  HandMade trace;
  trace.kernel("gemm", 1000, 4000);
  trace.kernel("ncclDevKernel_AllReduce", 3000, 6000);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 5000, 8000);
  trace.memset("Memset (Device)", 9000, 10000);
  const auto report = peer_tracelens().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "computation_ms"), 0.004);  // the set is one
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "exposed_comm_ms"), 0.002);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "exposed_memcpy_ms"), 0.002);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "idle_ms"), 0.001);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "total_ms"), 0.009);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "total_comm_ms"), 0.003);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "total_memcpy_ms"), 0.003);
}

TEST(Tracelens, UnlinkedWorkIsLeftOutOfItsDefault) {
  HandMade trace;
  const auto launch = trace.launch("cudaLaunchKernel", 0, 500);
  trace.kernel("a", 1000, 2000, launch);
  trace.kernel("b", 4000, 5000);
  const auto report = peer_tracelens().figures(std::move(trace).build());
  ASSERT_TRUE(report);
  EXPECT_DOUBLE_EQ(figure(*report, "linked events (its default)", "total_ms"), 0.001);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "total_ms"), 0.004);
  EXPECT_DOUBLE_EQ(figure(*report, "all events", "idle_ms"), 0.002);
}

TEST(Tracelens, WithoutDeviceWorkThereIsNoFigure) {
  const auto report = peer_tracelens().figures(HandMade().build());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInconclusive);
  EXPECT_FALSE(report.error().hint.empty());
}

TEST(Tracelens, HostileTimesDoNotOverflow) {
  HandMade trace;
  trace.kernel("a", kNanosMin.value, kNanosMin.value + 1);
  trace.kernel("b", kNanosMax.value - 1, kNanosMax.value);
  trace.copy("c", 0, kNanosMax.value);
  EXPECT_TRUE(peer_tracelens().figures(std::move(trace).build()));
}

}  // namespace
}  // namespace rooflab::analysis
