// SPDX-License-Identifier: Apache-2.0
// Units of work, device steps and the window they make.
#include "analysis/units.h"

#include <gtest/gtest.h>

#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using testing::kAllReduce;
using testing::kElementwise;
using testing::kGemm;
using testing::TinyTrace;

struct Found {
  model::Profile profile;
  Units units;
  Result<Window> window;
};

Found find(TinyTrace&& trace, const Selection& selection = {}) {
  Found out{std::move(trace).build(), {}, Window{}};
  const HostTree tree = build_host_tree(out.profile);
  const KernelClasses classes = classify_kernels(out.profile);
  out.units = find_units(out.profile, tree, classes, selection);
  out.window = choose_window(out.profile, out.units, selection);
  return out;
}

// A step of `length` ns that prefetches by a copy, launches two kernels, and whose device runs
// `behind` ns later.
void add_step(TinyTrace& t, std::int64_t start, std::int64_t length, const std::string& name,
              std::int64_t behind = 1000) {
  t.range(1, start, length, name);
  t.copy({.start = start + behind - 5, .duration = 4, .stream = 9},
         model::CopyDirection::kHostToDevice, model::MemoryKind::kPinned,
         model::MemoryKind::kDevice, 10, t.launch_call(1, start + 1, 2, "cudaMemcpyAsync"));
  t.launch(1, start + 10, 2, kGemm, {.start = start + behind, .duration = 20});
  t.launch(2, start + 20, 2, kElementwise, {.start = start + behind + 30, .duration = 10});
}

TEST(Units, StepMarkersAreTimedByTheFirstKernelLaunchedInside) {
  TinyTrace t;
  for (int i = 0; i < 5; ++i) add_step(t, i * 100, 99, "ProfilerStep#" + std::to_string(i + 3));
  const Found f = find(std::move(t));
  EXPECT_EQ(f.units.source, UnitSource::kStepMarker);
  ASSERT_EQ(f.units.units.size(), 5U);
  EXPECT_EQ(f.units.units[1].name, "ProfilerStep#4");
  EXPECT_EQ(f.units.units[1].device_start, Nanos(1100));
  EXPECT_EQ(f.units.units[1].device_end, Nanos(1200));
  EXPECT_TRUE(f.units.units[3].complete);
  EXPECT_FALSE(f.units.units[4].complete);
  EXPECT_EQ(f.units.units[4].device_end, Nanos(1440));  // its own last work
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->basis, WindowBasis::kDeviceSteps);
  EXPECT_EQ(f.window->start, Nanos(1000));
  EXPECT_EQ(f.window->end, Nanos(1400));
  EXPECT_EQ(f.window->unit_count, 4U);
  EXPECT_EQ(f.window->unit_mean, Nanos(100));
  EXPECT_TRUE(f.window->steady);
}

TEST(Units, ALongFirstUnitIsLeftOutAndNamed) {
  TinyTrace t;
  add_step(t, 0, 200, "ProfilerStep#1");
  for (int i = 0; i < 4; ++i)
    add_step(t, 300 + i * 100, 99, "ProfilerStep#" + std::to_string(i + 2));
  const Found f = find(std::move(t));
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->start, Nanos(1300));
  EXPECT_EQ(f.window->first_unit, 1U);
  EXPECT_EQ(f.window->unit_count, 3U);
  EXPECT_NE(f.window->note.find("ProfilerStep#1 left out"), std::string::npos);
}

TEST(Units, TheRangeThatLaunchesMostIsTheUnitAndTheOutermostOfEquals) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 1000;
    t.range(1, at, 900, "step");
    t.range(1, at + 1, 90, "load_batch");
    t.range(1, at + 100, 700, "forward");
    t.launch(1, at + 200, 10, kGemm, {.start = at + 300, .duration = 50});
  }
  for (int i = 0; i < 20; ++i) t.range(1, 5000 + i * 10, 9, "log");
  const Found f = find(std::move(t));
  EXPECT_EQ(f.units.source, UnitSource::kUserRange);
  EXPECT_EQ(f.units.marker, "step");
  EXPECT_EQ(f.units.units.size(), 4U);
}

// A hook of some layers launches little: the steps are not known then.
TEST(Units, ARangeThatLaunchesLessThanHalfIsNoUnit) {
  TinyTrace t;
  for (int i = 0; i < 6; ++i) {
    const std::int64_t at = i * 1000;
    t.range(1, at + 100, 50, "gather_parameters");
    t.launch(1, at + 110, 10, kGemm, {.start = at + 200, .duration = 20});
    t.launch(1, at + 300, 10, i % 2 == 0 ? kGemm : kElementwise,
             {.start = at + 400, .duration = 30});
  }
  const Found f = find(std::move(t));
  EXPECT_NE(f.units.source, UnitSource::kUserRange);
}

TEST(Units, NumberedRangesAreOneUnit) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) add_step(t, i * 100, 99, "iteration " + std::to_string(i));
  const Found f = find(std::move(t));
  EXPECT_EQ(f.units.units.size(), 4U);
  EXPECT_EQ(f.units.units[2].name, "iteration 2");
}

TEST(Units, StepRangeOverridesMarkers) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    add_step(t, i * 1000, 900, "ProfilerStep#" + std::to_string(i));
    for (int j = 0; j < 3; ++j) {
      t.range(1, i * 1000 + 100 + j * 200, 150, "micro");
      t.launch(1, i * 1000 + 110 + j * 200, 5, kGemm,
               {.start = i * 1000 + 1200 + j * 200, .duration = 50});
    }
  }
  Selection selection;
  selection.step_range = "micro";
  const Found f = find(std::move(t), selection);
  EXPECT_EQ(f.units.units.size(), 12U);
  EXPECT_EQ(f.units.units[0].device_start, Nanos(1200));
}

TEST(Units, CollectivesDoNotStartSteps) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t at = i * 1000;
    t.range(1, at, 900, "ProfilerStep#" + std::to_string(i));
    t.launch(1, at + 10, 5, kAllReduce, {.start = at + 20, .duration = 800, .stream = 17});
    t.launch(1, at + 30, 5, kGemm, {.start = at + 40, .duration = 50});
  }
  const Found f = find(std::move(t));
  EXPECT_EQ(f.units.units[1].device_start, Nanos(1040));
}

TEST(Units, AStepWithoutKernelsIsCountedButNotTimed) {
  TinyTrace t;
  for (int i = 0; i < 5; ++i) {
    if (i == 2) {
      t.range(1, 200, 99, "ProfilerStep#2");
    } else {
      add_step(t, i * 100, 99, "ProfilerStep#" + std::to_string(i));
    }
  }
  const Found f = find(std::move(t));
  EXPECT_FALSE(f.units.units[2].has_device);
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->unit_count, 4U);  // 0 to 3, one of them without work
  EXPECT_EQ(f.window->unit_mean, Nanos(100));
}

TEST(Units, WithoutRangesThePeriodOfTheKernelsIsTaken) {
  TinyTrace t;
  for (int i = 0; i < 6; ++i) {
    const std::int64_t at = i * 1000;
    t.kernel(kGemm, {.start = at, .duration = 100});
    t.kernel(kElementwise, {.start = at + 110, .duration = 100});
    t.kernel(kElementwise, {.start = at + 220, .duration = 100});
  }
  const Found f = find(std::move(t));
  EXPECT_EQ(f.units.source, UnitSource::kKernelPeriod);
  ASSERT_EQ(f.units.units.size(), 6U);
  EXPECT_EQ(f.units.units[1].device_start, Nanos(1000));
  EXPECT_EQ(f.window->unit_mean, Nanos(1000));
}

TEST(Units, FewerThanThreeUnitsGiveTheDeviceSpan) {
  TinyTrace t;
  for (int i = 0; i < 2; ++i) add_step(t, i * 100, 99, "ProfilerStep#" + std::to_string(i));
  const Found f = find(std::move(t));
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->basis, WindowBasis::kDeviceSpan);
  EXPECT_EQ(f.window->start, Nanos(995));
  EXPECT_EQ(f.window->end, Nanos(1140));
}

TEST(Units, HostOnlyFilesAreTimedOnTheHost) {
  TinyTrace t;
  for (int i = 0; i < 4; ++i) t.range(1, i * 100, 90, "ProfilerStep#" + std::to_string(i));
  const Found f = find(std::move(t));
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->basis, WindowBasis::kHostSpan);
  EXPECT_EQ(f.window->unit_count, 3U);
  EXPECT_EQ(f.window->unit_mean, Nanos(100));
}

TEST(Units, AnEmptyFileHasNoWindow) {
  const Found f = find(TinyTrace());
  ASSERT_FALSE(f.window);
  EXPECT_EQ(f.window.error().code, ErrorCode::kInconclusive);
}

TEST(Window, StepFilters) {
  const auto steps = [] {
    TinyTrace t;
    for (int i = 0; i < 6; ++i) add_step(t, i * 100, 99, "ProfilerStep#" + std::to_string(i));
    return t;
  };
  Selection selection;
  selection.steps = {1, 2};
  Found f = find(steps(), selection);
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->start, Nanos(1100));
  EXPECT_EQ(f.window->end, Nanos(1300));
  EXPECT_EQ(f.window->unit_count, 2U);
  selection.steps = {5, 5};  // the last ends with its own last work
  f = find(steps(), selection);
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->end, Nanos(1540));
  selection.steps = {9, 12};
  f = find(steps(), selection);
  ASSERT_FALSE(f.window);
  EXPECT_EQ(f.window.error().code, ErrorCode::kUsage);
  selection.steps.reset();
  selection.skip_first = 2;
  f = find(steps(), selection);
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->start, Nanos(1200));
  selection.skip_first = 6;
  EXPECT_FALSE(find(steps(), selection).window);
}

TEST(Window, ATimeWindowIsRelativeToTheFirstEvent) {
  TinyTrace t;
  for (int i = 0; i < 6; ++i) add_step(t, 5000 + i * 100, 99, "ProfilerStep#" + std::to_string(i));
  Selection selection;
  selection.window = {Nanos(1050), Nanos(1320)};
  Found f = find(std::move(t), selection);
  ASSERT_TRUE(f.window);
  EXPECT_EQ(f.window->basis, WindowBasis::kUser);
  EXPECT_EQ(f.window->start, Nanos(6050));
  EXPECT_EQ(f.window->unit_count, 2U);  // the device steps from 6100 and 6200
  EXPECT_EQ(f.window->unit_mean, Nanos(100));
  TinyTrace again;
  add_step(again, 0, 99, "step");
  selection.window = {Nanos(1000000), Nanos(2000000)};
  EXPECT_FALSE(find(std::move(again), selection).window);
}

TEST(Window, FewBurstsAreNoSteadyState) {
  const auto bursty = [](int units) {
    TinyTrace t;
    std::int64_t at = 0;
    for (int i = 0; i < units; ++i) {
      t.range(1, at, 90, "ProfilerStep#" + std::to_string(i));
      t.launch(1, at + 10, 2, kGemm, {.start = at + 20, .duration = 20});
      at += i % 4 == 3 ? 5000 : 100;
    }
    return t;
  };
  Found f = find(bursty(12));
  ASSERT_TRUE(f.window);
  EXPECT_FALSE(f.window->steady);
  EXPECT_NEAR(f.window->burst_period_units, 4.0, 1e-9);
  f = find(bursty(60));
  EXPECT_TRUE(f.window->steady);
  EXPECT_NEAR(f.window->burst_period_units, 4.0, 1e-9);
  EXPECT_EQ(f.window->unit_median, Nanos(100));
  EXPECT_GT(f.window->unit_mean, Nanos(1200));
}

TEST(Window, WorkersThatStartInsideAreNoSteadyState) {
  TinyTrace t;
  for (int i = 0; i < 6; ++i) add_step(t, i * 100, 99, "ProfilerStep#" + std::to_string(i), 10);
  t.frame(3, 250, 20, "multiprocessing/process.py(110): start");
  const Found f = find(std::move(t));
  ASSERT_TRUE(f.window);
  EXPECT_FALSE(f.window->steady);
}

}  // namespace
}  // namespace rooflab::analysis
