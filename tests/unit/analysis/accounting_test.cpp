// SPDX-License-Identifier: Apache-2.0
// Owners of time on small profiles whose answer can be worked out by hand.
#include "analysis/accounting.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <numeric>

#include "analysis/metrics.h"
#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using testing::kAllReduce;
using testing::kElementwise;
using testing::kGemm;
using testing::TinyTrace;

using Owners = std::map<std::string, std::int64_t>;

struct Accounted {
  model::Profile profile;
  Accounting accounting;
  [[nodiscard]] Owners owners(std::size_t device = 0) const {
    Owners out;
    for (const OwnerShare& o : accounting.devices.at(device).owners) out[o.owner] = o.time.value;
    return out;
  }
};

Accounted run(TinyTrace&& trace, const Selection& selection = {}, bool whole_trace = false) {
  Accounted out{std::move(trace).build(), {}};
  const HostTree tree = build_host_tree(out.profile);
  const KernelClasses classes = classify_kernels(out.profile);
  const Units units = find_units(out.profile, tree, classes, selection);
  const Result<Window> window = choose_window(out.profile, units, selection);
  EXPECT_TRUE(window.has_value());
  out.accounting = account(out.profile, tree, classes, units, *window, selection, whole_trace);
  for (const DeviceAccounting& d : out.accounting.devices) {
    std::int64_t sum = 0;
    for (const OwnerShare& o : d.owners) sum += o.time.value;
    EXPECT_EQ(sum, d.total().value);
    Nanos at = d.window.start;
    for (const Stretch& s : d.stretches) {
      EXPECT_EQ(s.start, at);
      at = s.end;
    }
    EXPECT_EQ(at, d.window.end);
  }
  return out;
}

TEST(Accounting, CutsAGapAtTheLaunchCallsBeginAndEnd) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 95});
  t.op(1, 150, 100, "aten::mul");                                      // framework from 150
  t.launch(1, 200, 30, kElementwise, {.start = 260, .duration = 40});  // gap 100 to 260
  const Owners expected{{"compute.gemm", 95},           {"compute.elementwise", 40},
                        {"idle.starved.unknown", 50},  // 100-150: nothing recorded
                        {"idle.starved.framework", 50}, {"idle.in_call", 30},
                        {"idle.dispatch", 30}};
  EXPECT_EQ(run(std::move(t)).owners(), expected);
}

TEST(Accounting, AThreadThatSleepsOrIsTakenOffItsCoreIsOffCpu) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 95});
  t.span(1, 90, 60, "nanosleep", model::SpanKind::kOsCall);  // waits
  t.span(1, 160, 10, "off CPU", model::SpanKind::kOffCpu);   // preempted
  t.span(1, 170, 20, "read", model::SpanKind::kOsCall);      // works
  t.range(1, 190, 20, "load_batch");
  t.span(1, 195, 10, "nanosleep", model::SpanKind::kOsCall);  // the input pipeline's own
  t.launch(1, 210, 10, kElementwise, {.start = 220, .duration = 40});
  const Owners owners = run(std::move(t)).owners();
  EXPECT_EQ(owners.at("idle.starved.off_cpu"), 60);
  EXPECT_EQ(owners.at("idle.starved.host_code"), 20);
  EXPECT_EQ(owners.at("idle.starved.input:load_batch"), 20);
}

TEST(Accounting, AThreadThatWaitsForAnotherIsExplainedByTheOther) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 95});
  t.span(2, 20, 200, "pthread_cond_wait", model::SpanKind::kOsCall);  // until 220
  t.op(1, 100, 80, "aten::mul");                                      // until 180
  t.launch(2, 230, 10, kElementwise, {.start = 260, .duration = 40});
  const Owners expected{{"compute.gemm", 95},           {"compute.elementwise", 40},
                        {"idle.starved.framework", 80}, {"idle.starved.off_cpu", 40},
                        {"idle.starved.unknown", 10},   {"idle.in_call", 10},
                        {"idle.dispatch", 20}};
  EXPECT_EQ(run(std::move(t)).owners(), expected);
}

TEST(Accounting, LaunchedLongAgoAndNotStartedIsBlocked) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 10, .duration = 1000});
  t.launch(1, 20, 10, kGemm, {.start = 51010, .duration = 10});   // 50 us later: dispatch
  t.launch(1, 40, 10, kGemm, {.start = 101021, .duration = 10});  // 1 ns more: blocked
  const Owners owners = run(std::move(t)).owners();
  EXPECT_EQ(owners.at("idle.dispatch"), 50000);
  EXPECT_EQ(owners.at("idle.blocked"), 50001);
}

TEST(Accounting, WorkWithoutALaunchRecordLeavesTheGapUnlinked) {
  TinyTrace t;
  t.kernel(kGemm, {.start = 0, .duration = 10});
  t.kernel(kGemm, {.start = 30, .duration = 10});
  EXPECT_EQ(run(std::move(t)).owners(), (Owners{{"compute.gemm", 20}, {"idle.unlinked", 20}}));
}

TEST(Accounting, GapsInsideOneGraphLaunchAreItsOwnUnlessTheyAreLong) {
  TinyTrace t;
  const std::int64_t graph = t.launch_call(1, 0, 5, "cudaGraphLaunch");
  t.kernel(kGemm, {.start = 10, .duration = 10, .graph_node = 1}, graph);
  t.kernel(kGemm, {.start = 25, .duration = 10, .graph_node = 2}, graph);
  t.kernel(kGemm, {.start = 100035, .duration = 10, .graph_node = 3}, graph);
  EXPECT_EQ(run(std::move(t)).owners(),
            (Owners{{"compute.gemm", 30}, {"idle.graph", 5}, {"idle.blocked", 100000}}));
}

TEST(Accounting, CopiesAreNamedByDirectionAndHostMemoryAndHiddenOnesStandBeside) {
  TinyTrace t;
  t.copy({.start = 0, .duration = 100, .stream = 1}, CopyDirection::kHostToDevice,
         MemoryKind::kPageable, MemoryKind::kDevice, 10);
  t.copy({.start = 100, .duration = 50, .stream = 1}, CopyDirection::kDeviceToHost,
         MemoryKind::kDevice, MemoryKind::kPinned, 10);
  t.kernel(kAllReduce, {.start = 20, .duration = 60, .stream = 2});
  t.kernel(kGemm, {.start = 50, .duration = 40, .stream = 3});
  const Accounted got = run(std::move(t));
  EXPECT_EQ(got.owners(), (Owners{{"copy.exposed.h2d.pageable", 20 + 10},
                                  {"copy.exposed.d2h.pinned", 50},
                                  {"comm.exposed.unsplit", 30},
                                  {"compute.gemm", 40}}));
  EXPECT_EQ(got.accounting.devices[0].hidden_copy, Nanos(70));
  EXPECT_EQ(got.accounting.devices[0].hidden_comm, Nanos(30));
  EXPECT_EQ(got.accounting.devices[0].busy, Nanos(150));
}

TEST(Accounting, StarvedTimeGoesByPrecedenceOfWhatSurroundsIt) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 5});
  t.range(1, 10, 100, "load_batch");
  t.op(1, 20, 10, "aten::stack");  // inside the loader: still input
  t.call(1, 110, 10, "cudaStreamSynchronize");
  t.call(1, 120, 10, "cudaMalloc");
  t.op(1, 130, 20, "aten::to");
  t.call(1, 135, 5, "cudaMemcpyAsync");  // a call is closer than the operator around it
  t.range(1, 150, 30, "my code");
  t.frame(1, 180, 20, "train.py(7): main");
  t.call(1, 200, 10, "cuModuleLoadData");
  t.launch(1, 220, 10, kGemm, {.start = 231, .duration = 5});
  EXPECT_EQ(run(std::move(t)).owners(), (Owners{{"compute.gemm", 10},
                                                {"idle.starved.input:load_batch", 100},
                                                {"idle.starved.sync", 10},
                                                {"idle.starved.alloc", 10},
                                                {"idle.starved.framework", 15},
                                                {"idle.starved.copy_call", 5},
                                                {"idle.starved.range:my code", 30},
                                                {"idle.starved.host_code", 20},
                                                {"idle.starved.compile", 10},
                                                {"idle.starved.unknown", 10},
                                                {"idle.in_call", 10},
                                                {"idle.dispatch", 1}}));
}

TEST(Accounting, AWaitingThreadIsExplainedByTheOneThatRanBefore) {
  TinyTrace t;
  constexpr int kMain = 1, kAutograd = 2;
  t.launch(kAutograd, 0, 10, kGemm, {.start = 5, .duration = 10});
  t.range(kMain, 20, 50, "load_batch");
  t.op(kMain, 70, 20, "aten::loss");
  t.launch(kMain, 80, 5, kElementwise, {.start = 85, .duration = 0});
  t.op(kAutograd, 100, 30, "MulBackward0");
  t.launch(kAutograd, 110, 10, kGemm, {.start = 125, .duration = 10});
  const Accounted got = run(std::move(t));
  // The zero-length kernel ends the first gap at 85; the second is the autograd thread's.
  EXPECT_EQ(got.owners(), (Owners{{"compute.gemm", 20},
                                  {"idle.starved.unknown", 5 + 10},
                                  {"idle.starved.input:load_batch", 50},
                                  {"idle.starved.framework", 10 + 5 + 10},
                                  {"idle.in_call", 5 + 10},
                                  {"idle.dispatch", 5}}));
  std::int64_t hopped = 0;
  for (const Stretch& s : got.accounting.devices[0].stretches) {
    if (s.hops == 1) hopped += (s.end - s.start).value;
  }
  EXPECT_EQ(hopped, 5);  // 85-90: the main thread was in aten::loss
}

TEST(Accounting, TheRecordersOwnWorkIsChargedToTheThreadThatShowsIt) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 5});
  t.op(1, 20, 100, "aten::mm");
  t.span(-1, 30, 40, "Activity Buffer Request", model::SpanKind::kOverhead);
  t.launch(1, 80, 10, kGemm, {.start = 95, .duration = 5});
  EXPECT_EQ(run(std::move(t)).owners(), (Owners{{"compute.gemm", 10},
                                                {"idle.profiler", 40},
                                                {"idle.starved.unknown", 10},
                                                {"idle.starved.framework", 20},
                                                {"idle.in_call", 10},
                                                {"idle.dispatch", 5}}));
}

TEST(Accounting, OverheadOfAnotherThreadIsNotCharged) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 5});
  t.op(1, 20, 100, "aten::mm");
  t.op(1, 35, 2, "aten::empty");  // the thread was running
  t.span(-1, 30, 40, "Activity Buffer Request", model::SpanKind::kOverhead);
  t.launch(1, 80, 10, kGemm, {.start = 95, .duration = 5});
  EXPECT_EQ(run(std::move(t)).owners().count("idle.profiler"), 0U);
}

TEST(Accounting, DevicesAreAccountedEachOverItsOwnSpan) {
  TinyTrace t;
  t.kernel(kGemm, {.start = 0, .duration = 100, .device = 0});
  t.kernel(kGemm, {.start = 50, .duration = 10, .device = 1});
  const Accounted got = run(std::move(t));
  ASSERT_EQ(got.accounting.devices.size(), 2U);
  EXPECT_EQ(got.owners(0), (Owners{{"compute.gemm", 100}}));
  EXPECT_EQ(got.owners(1), (Owners{{"compute.gemm", 10}}));
}

TEST(Accounting, WholeTraceViewShowsTimeOutsideTheWindow) {
  TinyTrace t;
  t.op(1, 0, 10, "aten::first");
  t.launch(1, 20, 5, kGemm, {.start = 30, .duration = 10});
  t.op(1, 50, 10, "aten::last");
  EXPECT_EQ(run(std::move(t), {}, true).owners(),
            (Owners{{"idle.window.before", 30}, {"compute.gemm", 10}, {"idle.window.after", 20}}));
}

TEST(Accounting, AUserWindowCutsStretchesButDoesNotChangeWhatAGapIs) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 10, .duration = 10});
  t.launch(1, 12, 3, kGemm, {.start = 100020, .duration = 10});
  Selection selection;
  selection.window = {Nanos(90000), Nanos(100025)};
  EXPECT_EQ(run(std::move(t), selection).owners(),
            (Owners{{"idle.blocked", 10020}, {"compute.gemm", 5}}));
}

TEST(Accounting, AnInputRangeCanBeNamed) {
  TinyTrace t;
  t.launch(1, 0, 10, kGemm, {.start = 5, .duration = 5});
  t.range(1, 10, 100, "phase one");
  t.launch(1, 110, 10, kGemm, {.start = 120, .duration = 5});
  Selection selection;
  selection.input_range = "phase one";
  EXPECT_EQ(run(std::move(t), selection).owners().at("idle.starved.input:phase one"), 100);
}

TEST(Accounting, TimesAtTheLimitsOfTheFormatDoNotOverflow) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  TinyTrace t;
  t.launch(1, kLeast, kMost, kGemm, {.start = kLeast, .duration = 5});
  t.launch(1, 10, kMost, kGemm, {.start = 0, .duration = kMost});
  t.launch(2, kMost, 5, kElementwise, {.start = kMost, .duration = kMost, .stream = 8});
  t.op(1, kLeast, kMost, "aten::mm");
  t.range(3, kMost, kMost, "load_batch");
  t.span(-1, kLeast, kMost, "Activity Buffer Request", model::SpanKind::kOverhead);
  const Accounted got = run(std::move(t));  // checks the sum; the sanitizer checks the rest
  EXPECT_EQ(got.profile.hygiene.count("time_too_large"), 9);
  const Metrics m = device_metrics(got.profile, classify_kernels(got.profile));
  EXPECT_EQ(m.total.kernel_count, 3);
}

TEST(Accounting, WithoutDeviceWorkThereIsNothingToAccount) {
  TinyTrace t;
  t.op(1, 0, 10, "aten::mm");
  EXPECT_TRUE(run(std::move(t)).accounting.devices.empty());
}

}  // namespace
}  // namespace rooflab::analysis
