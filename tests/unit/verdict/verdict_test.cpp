// SPDX-License-Identifier: Apache-2.0
#include "verdict/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "verdict/limit.h"

namespace rooflab::verdict {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

Verdict judged(HandMade& h) {
  return decide(h.analysis(), rules::evaluate(h.analysis(), nullptr), nullptr);
}

// By the shares of the owners alone: no rule has anything to say.
Verdict judged_by_shares(HandMade& h) { return decide(h.analysis(), {}, nullptr); }

TEST(Limit, EveryOwnerSpeaksForOneLimit) {
  const std::pair<const char*, Limit> expected[] = {
      {"idle.starved.input:load_batch", Limit::kInput},
      {"idle.starved.sync", Limit::kSync},
      {"idle.starved.framework", Limit::kLaunch},
      {"idle.starved.range:augment", Limit::kHost},
      {"idle.starved.compile", Limit::kHost},
      {"idle.starved.unknown", Limit::kHost},
      {"idle.in_call", Limit::kLaunch},
      {"idle.dispatch", Limit::kLaunch},
      {"idle.graph", Limit::kLaunch},
      {"copy.exposed.h2d.pinned", Limit::kTransfer},
      {"copy.exposed.d2d.device", Limit::kMemory},
      {"memset", Limit::kMemory},
      {"comm.exposed.unsplit", Limit::kComm},
      {"comm.exposed.wait", Limit::kStraggler}};
  for (const auto& [owner, limit] : expected) EXPECT_EQ(limit_of_owner(owner), limit) << owner;
  for (const char* none :
       {"compute.gemm", "idle.blocked", "idle.unlinked", "idle.profiler", "idle.window.before"}) {
    EXPECT_EQ(limit_of_owner(none), std::nullopt) << none;
  }
}

TEST(Limit, ComputeDividesByTheRoofsOfItsKernels) {
  HandMade h;
  h.own("compute.gemm", 60).own("idle.in_call", 40);
  h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(20)).limit = analysis::Roof::kCompute;
  h.kernel("add", analysis::KernelClass::kElementwise, 1, Nanos(10)).limit =
      analysis::Roof::kMemory;
  h.kernel("nccl", analysis::KernelClass::kComm, 1, Nanos(1000));  // not compute: does not count
  const auto shares = limit_shares(h.analysis());
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].limit, Limit::kLaunch);
  EXPECT_DOUBLE_EQ(shares[0].ratio.value, 0.4);
  EXPECT_EQ(shares[1].limit, Limit::kCompute);
  EXPECT_NEAR(shares[1].ratio.value, 0.4, 1e-12);
  EXPECT_EQ(shares[2].limit, Limit::kMemory);
  EXPECT_NEAR(shares[2].ratio.value, 0.2, 1e-12);
}

TEST(Verdict, TheLargestShareIsTheLimit) {
  HandMade h;
  h.own("idle.starved.input:load_batch", 90).own("compute.gemm", 10);
  const Verdict v = judged(h);
  EXPECT_EQ(v.limit, Limit::kInput);
  EXPECT_EQ(v.state, State::kImprovable);
  EXPECT_EQ(v.verdict_class, "input_bound");
  EXPECT_EQ(v.confidence, rules::Confidence::kProvisional);
  EXPECT_THAT(v.summary, HasSubstr("load_batch starves it 90.0 %"));
  EXPECT_EQ(v.runner_up, Limit::kDevice);
  EXPECT_NEAR(*v.margin_ratio, 80.0 / 90, 1e-12);
}

TEST(Verdict, TheHeadlineGivesAnOwnerItsOwnShare) {
  HandMade h;
  h.own("idle.starved.range:augment", 76).own("idle.starved.unknown", 3).own("compute.gemm", 21);
  EXPECT_THAT(judged(h).summary,
              HasSubstr("augment keeps it idle 76.0 % of the time (host in all 79.0 %)"));
  HandMade launch;
  launch.own("idle.in_call", 30).own("idle.dispatch", 40).own("compute.gemm", 30);
  EXPECT_THAT(judged(launch).summary,
              HasSubstr("idle 70.0 % of the time, most in idle.dispatch (40.0 %)"));
}

TEST(Verdict, TheHeadlineIsBusyOverTheWindow) {
  HandMade h;
  h.own("compute.gemm", 60).own("idle.starved.unknown", 40);
  h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(60'000'000)).limit =
      analysis::Roof::kCompute;
  h.analysis().metrics.gpu_busy_ratio = 0.9;  // of the whole file
  EXPECT_THAT(judged(h).summary, HasSubstr("busy 60.0 %; kernels limited by compute lead"));
}

TEST(Verdict, ImprovableSaysWhatThereIsToGain) {
  HandMade h;
  h.own("comm.exposed.unsplit", 40).own("compute.gemm", 60);
  EXPECT_EQ(judged(h).improvable_because, "comm_exposed owns 40.0 %");
  EXPECT_EQ(judged_by_shares(h).improvable_because, "comm owns 40.0 %");
  HandMade healthy;
  healthy.own("compute.gemm", 100);
  EXPECT_EQ(judged(healthy).improvable_because, "");
}

TEST(Verdict, ACutFileWithoutDeviceWorkIsNoRunOnTheCpu) {
  HandMade h;
  h.own("idle.in_call", 1).because("op");
  h.analysis().accounting.devices.clear();
  h.profile().spans.kind[0] = model::SpanKind::kOp;
  h.profile().hygiene.add("truncated_input", "f", 1, "hint", model::Claim::kCoverage);
  const Verdict v = judged(h);
  EXPECT_EQ(v.limit, Limit::kNone);
  EXPECT_EQ(v.state, State::kInconclusive);
  EXPECT_THAT(v.summary, HasSubstr("No verdict: truncated_input"));
}

TEST(Verdict, ACloseRunnerUpIsNamed) {
  HandMade h;
  h.own("idle.starved.input:load", 50).own("copy.exposed.h2d.pageable", 45).own("compute.gemm", 5);
  EXPECT_THAT(judged(h).summary, HasSubstr("close to transfer"));
}

TEST(Verdict, ABusyDeviceIsHealthy) {
  HandMade h;
  h.own("compute.gemm", 95).own("idle.dispatch", 5);
  auto& row = h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(95'000'000));
  row.limit = analysis::Roof::kCompute;
  row.modelled = 1;
  row.modelled_sum = Nanos(95'000'000);
  row.roof_time = Nanos(70'000'000);
  const Verdict v = judged(h);
  EXPECT_EQ(v.limit, Limit::kCompute);
  EXPECT_EQ(v.state, State::kHealthy);
  EXPECT_EQ(v.verdict_class, "healthy");
  EXPECT_THAT(v.summary, HasSubstr("compute"));
}

TEST(Verdict, KernelsFarBelowTheirRoofAreImprovable) {
  HandMade h;
  h.own("compute.gemm", 100);
  auto& row = h.kernel("gemm", analysis::KernelClass::kGemm, 1, Nanos(100'000'000));
  row.limit = analysis::Roof::kCompute;
  row.modelled = 1;
  row.modelled_sum = Nanos(100'000'000);
  row.roof_time = Nanos(20'000'000);
  EXPECT_EQ(judged(h).state, State::kImprovable);
}

TEST(Verdict, CopiesAtTheLinkRateAreHealthyButStillTheLimit) {
  HandMade h;
  h.own("copy.exposed.h2d.pinned", 95).own("compute.gemm", 5);
  analysis::CopyGroup g;
  g.direction = model::CopyDirection::kHostToDevice;
  g.memory = model::MemoryKind::kPinned;
  g.count = g.sized = 1;
  g.bytes = Bytes(55'000'000'000);
  g.sum = Nanos(1'000'000'000);
  h.analysis().copies = {g};
  hw::DeviceEntry device;
  device.host_link.value = 64e9;
  h.on(device);
  EXPECT_EQ(judged_by_shares(h).limit, Limit::kTransfer);
  EXPECT_EQ(judged_by_shares(h).state, State::kHealthy);
  h.analysis().copies[0].bytes = Bytes(6'000'000'000);
  EXPECT_EQ(judged_by_shares(h).state, State::kImprovable);
}

TEST(Verdict, MissingWorkMakesItInconclusive) {
  HandMade h;
  h.own("idle.blocked", 6).own("idle.unlinked", 5).own("compute.gemm", 89);
  const Verdict v = judged(h);
  EXPECT_EQ(v.state, State::kInconclusive);
  EXPECT_EQ(v.verdict_class, "inconclusive");
  EXPECT_THAT(v.inconclusive_because, HasSubstr("11.0 %"));
  HandMade fewer;
  fewer.own("idle.blocked", 5).own("idle.unlinked", 5).own("compute.gemm", 90);
  EXPECT_NE(judged(fewer).state, State::kInconclusive);
}

TEST(Verdict, HygieneCanForbidIt) {
  for (const model::Claim claim : {model::Claim::kTimes, model::Claim::kCoverage}) {
    HandMade h;
    h.own("compute.gemm", 100);
    h.profile().hygiene.add("truncated_input", "f", 1, "hint", claim);
    EXPECT_EQ(judged(h).state, State::kInconclusive);
    EXPECT_THAT(judged(h).summary, HasSubstr("truncated_input"));
  }
  HandMade h;
  h.own("compute.gemm", 100);
  h.profile().hygiene.add("zero_duration", "f", 1, "hint");
  EXPECT_NE(judged(h).state, State::kInconclusive);
}

TEST(Verdict, WithoutDeviceWorkItSaysWhatIsThere) {
  HandMade empty;
  EXPECT_EQ(judged(empty).limit, Limit::kNone);
  EXPECT_EQ(judged(empty).state, State::kInconclusive);
  HandMade cpu;
  cpu.own("idle.in_call", 1).because("aten::mm");
  cpu.analysis().accounting.devices.clear();
  cpu.profile().spans.kind[0] = model::SpanKind::kOp;
  EXPECT_EQ(judged(cpu).limit, Limit::kCpu);
  cpu.profile().spans.kind[0] = model::SpanKind::kRuntimeCall;
  EXPECT_EQ(judged(cpu).limit, Limit::kNone);
  EXPECT_THAT(judged(cpu).summary, HasSubstr("not recorded"));
}

}  // namespace
}  // namespace rooflab::verdict
