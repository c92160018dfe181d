// SPDX-License-Identifier: Apache-2.0
// Who owns busy time when work runs side by side.
#include "analysis/device_sweep.h"

#include <gtest/gtest.h>

#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using testing::kAllReduce;
using testing::kElementwise;
using testing::kGemm;
using testing::TinyTrace;

std::vector<std::string> sweep(const model::Profile& p) {
  const KernelClasses classes = classify_kernels(p);
  std::vector<bool> launched(p.spans.size(), false);
  const auto rows = work_by_device(p, std::nullopt);
  std::vector<std::string> out;
  sweep_device(p, classes, rows.at(0), launched, [&](const Segment& s) {
    const std::string name(p.text(p.work.name[s.work.row]).substr(0, 6));
    out.push_back(std::to_string(s.start) + "-" + std::to_string(s.end) + " " +
                  (s.gap ? "gap before " : "") + name + (s.inside_launch ? " inside" : ""));
  });
  return out;
}

TEST(DeviceSweep, ComputeBeatsCommBeatsCopyBeatsMemset) {
  TinyTrace t;
  t.memset({.start = 0, .duration = 100, .stream = 1});
  t.copy({.start = 10, .duration = 70, .stream = 2}, model::CopyDirection::kHostToDevice,
         model::MemoryKind::kPinned, model::MemoryKind::kDevice, 1);
  t.kernel(kAllReduce, {.start = 20, .duration = 40, .stream = 3});
  t.kernel(kGemm, {.start = 30, .duration = 10, .stream = 4});
  const std::vector<std::string> expected{"0-10 memset",  "10-20 copy",   "20-30 ncclDe",
                                          "30-40 ampere", "40-60 ncclDe", "60-80 copy",
                                          "80-100 memset"};
  EXPECT_EQ(sweep(std::move(t).build()), expected);
}

TEST(DeviceSweep, AmongEqualsTheEarliestStartThenTheLowestStream) {
  TinyTrace t;
  t.kernel("kernel_b", {.start = 0, .duration = 10, .stream = 9});
  t.kernel("kernel_a", {.start = 0, .duration = 20, .stream = 8});
  t.kernel("kernel_c", {.start = 5, .duration = 30, .stream = 1});
  const auto got = sweep(std::move(t).build());
  EXPECT_EQ(got, (std::vector<std::string>{"0-20 kernel", "20-35 kernel"}));
}

TEST(DeviceSweep, WorkThatTouchesItsLikeCountsFromTheFirstStart) {
  TinyTrace t;
  t.kernel("first_half", {.start = 0, .duration = 10, .stream = 1});
  t.kernel("first_half", {.start = 10, .duration = 10, .stream = 1});
  t.kernel("other", {.start = 5, .duration = 30, .stream = 2});
  const auto got = sweep(std::move(t).build());
  EXPECT_EQ(got, (std::vector<std::string>{"0-10 first_", "10-20 first_", "20-35 other"}));
}

TEST(DeviceSweep, GapsAreEndedByTheNextWorkAndKnowWhetherItsLaunchHasBegun) {
  TinyTrace t;
  const std::int64_t graph = t.launch_call(1, 0, 5, "cudaGraphLaunch");
  t.kernel(kGemm, {.start = 10, .duration = 10, .graph_node = 1}, graph);
  t.kernel(kElementwise, {.start = 25, .duration = 10, .graph_node = 2}, graph);
  t.launch(1, 20, 5, kGemm, {.start = 50, .duration = 10});
  const auto got = sweep(std::move(t).build());
  EXPECT_EQ(got,
            (std::vector<std::string>{"10-20 ampere", "20-25 gap before void a inside",
                                      "25-35 void a", "35-50 gap before ampere", "50-60 ampere"}));
}

TEST(DeviceSweep, WorkOfZeroLengthEndsAGapAndOwnsNothing) {
  TinyTrace t;
  t.kernel(kGemm, {.start = 0, .duration = 10});
  t.kernel(kElementwise, {.start = 20, .duration = 0});
  t.kernel(kGemm, {.start = 30, .duration = 10});
  const auto got = sweep(std::move(t).build());
  EXPECT_EQ(got, (std::vector<std::string>{"0-10 ampere", "10-20 gap before void a",
                                           "20-30 gap before ampere", "30-40 ampere"}));
}

}  // namespace
}  // namespace rooflab::analysis
