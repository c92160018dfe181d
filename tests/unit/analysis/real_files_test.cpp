// SPDX-License-Identifier: Apache-2.0
// The analysis on real recordings: the sum of owners is exact on every trace there is, and
// the answers that are known (what was built in, or what other tools measured) come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "analysis/analysis.h"
#include "importers/importer.h"
#include "support/cases.h"

namespace rooflab::analysis {
namespace {

using testing::case_path;
using testing::test_data;

struct Read {
  std::unique_ptr<model::Profile> profile;  // Analysis points at it
  Analysis analysis;

  // Share of the window, over all owners that begin with `prefix`.
  [[nodiscard]] double share(std::string_view prefix) const {
    const DeviceAccounting& d = analysis.accounting.devices.at(0);
    std::int64_t sum = 0;
    for (const OwnerShare& o : d.owners) {
      if (o.owner.compare(0, prefix.size(), prefix) == 0) sum += o.time.value;
    }
    return static_cast<double>(sum) / static_cast<double>(d.total().value);
  }
  [[nodiscard]] const std::string& first_owner() const {
    return analysis.accounting.devices.at(0).owners.at(0).owner;
  }
  [[nodiscard]] double unit_ms() const {
    return static_cast<double>(analysis.window.unit_mean.value) / 1e6;
  }
};

Read read(const std::string& path, const Selection& selection = {}) {
  Read out;
  auto profile = importers::import_file(path);
  EXPECT_TRUE(profile.has_value()) << path;
  if (!profile) return out;
  out.profile = std::make_unique<model::Profile>(std::move(*profile));
  const auto catalog = hw::DeviceCatalog::load();
  EXPECT_TRUE(catalog.has_value());
  auto analysis = analyse(*out.profile, *catalog, selection);
  EXPECT_TRUE(analysis.has_value()) << path << ": " << analysis.error().message;
  if (analysis) out.analysis = std::move(*analysis);
  return out;
}

Read h200(const std::string& name) { return read(test_data("h200/" + name + ".json.gz")); }

void expect_exact(const Accounting& accounting, const std::string& what) {
  for (const DeviceAccounting& d : accounting.devices) {
    std::vector<std::int64_t> by_stretch(d.owners.size(), 0);
    std::int64_t sum = 0;
    Nanos at = d.window.start;
    for (const OwnerShare& o : d.owners) sum += o.time.value;
    for (const Stretch& s : d.stretches) {
      ASSERT_EQ(s.start, at) << what;
      at = s.end;
      by_stretch.at(s.owner) += (s.end - s.start).value;
    }
    EXPECT_EQ(at, d.window.end) << what;
    EXPECT_EQ(sum, d.total().value) << what;
    for (std::size_t i = 0; i < by_stretch.size(); ++i) {
      EXPECT_EQ(by_stretch[i], d.owners[i].time.value) << what << " " << d.owners[i].owner;
    }
  }
}

std::vector<std::string> traces_below(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    const std::string path = it->path().string();
    const std::string_view name(path);
    if (name.ends_with(".json.gz") || name.ends_with(".xplane.pb")) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_exact_below(const std::string& folder, std::size_t at_least) {
  const std::vector<std::string> traces = traces_below(folder);
  EXPECT_GE(traces.size(), at_least) << folder;
  for (const std::string& path : traces) {
    const Read r = read(path);
    ASSERT_FALSE(r.analysis.accounting.devices.empty()) << path;
    expect_exact(r.analysis.accounting, path);
    const Accounting whole = account(*r.profile, r.analysis.tree, r.analysis.classes,
                                     r.analysis.units, r.analysis.window, {}, true);
    expect_exact(whole, path + " (whole trace)");
    // Nothing is missing from these files but where their names say so.
    EXPECT_LT(r.share("idle.blocked"), 0.002) << path;
  }
}

TEST(RealFiles, OwnersSumToTheWindowOnEveryRecordingOfOurs) {
  expect_exact_below(test_data("h200"), 25);
}

TEST(RealFiles, OwnersSumToTheWindowOnEveryPublicTrace) {
  ROOFLAB_CASE(folder, "public");
  expect_exact_below(folder, 11);
}

TEST(RealFiles, JsonParsingBetweenStepsStarvesTheDevice) {
  const Read r = h200("loader_starved");
  EXPECT_EQ(r.first_owner(), "idle.starved.input:load_batch");
  EXPECT_GT(r.share("idle.starved.input"), 0.94);
  EXPECT_NEAR(r.analysis.metrics.gpu_busy_ratio, 0.006, 0.0005);
  EXPECT_EQ(r.analysis.units.source, UnitSource::kUserRange);
  EXPECT_EQ(r.analysis.units.marker, "step");
  EXPECT_EQ(r.analysis.window.unit_count, 7U);
  // The evidence names the span that owns the time.
  const DeviceAccounting& d = r.analysis.accounting.devices.at(0);
  const auto stretch = std::max_element(
      d.stretches.begin(), d.stretches.end(),
      [](const Stretch& a, const Stretch& b) { return a.end - a.start < b.end - b.start; });
  ASSERT_TRUE(stretch->cause.valid());
  EXPECT_EQ(r.profile->span_name(stretch->cause), "load_batch");
  EXPECT_TRUE(stretch->work.valid());
}

TEST(RealFiles, LoadersInSteadyStateAreComparedByTheMean) {
  const Read w0 = h200("loader_steady_w0");
  const Read w4 = h200("loader_steady_w4");
  EXPECT_TRUE(w0.analysis.window.steady) << w0.analysis.window.note;
  EXPECT_TRUE(w4.analysis.window.steady) << w4.analysis.window.note;
  EXPECT_NEAR(w0.unit_ms() / w4.unit_ms(), 3.05, 0.005);
  EXPECT_NEAR(w4.analysis.window.burst_period_units, 4.0, 0.1);
  EXPECT_DOUBLE_EQ(w0.analysis.window.burst_period_units, 1.0);
  const double medians = static_cast<double>(w0.analysis.window.unit_median.value) /
                         static_cast<double>(w4.analysis.window.unit_median.value);
  EXPECT_NEAR(medians, 27, 0.5);  // what must not be claimed
  EXPECT_GT(w0.share("idle.starved.input"), 0.95);
  EXPECT_GT(w4.share("idle.starved.input"), 0.85);
}

TEST(RealFiles, AFreshLoaderIsNotInSteadyState) {
  const Read before = h200("dataloader_workers0");
  EXPECT_TRUE(before.analysis.window.steady);
  EXPECT_GT(before.share("idle.starved.input"), 0.95);
  const Read after = h200("dataloader_workers8");
  EXPECT_FALSE(after.analysis.window.steady);
  EXPECT_NE(after.analysis.window.note.find("not in steady state"), std::string::npos);
}

TEST(RealFiles, HealthyRunsAreBusy) {
  EXPECT_NEAR(h200("transformer_healthy").analysis.metrics.gpu_busy_ratio, 0.88, 0.005);
  for (const char* name : {"gemm_aligned", "healthy_inference_large_batch", "gemm_misaligned"}) {
    EXPECT_GT(h200(name).share("compute"), 0.98) << name;
  }
}

TEST(RealFiles, HiddenCopiesAreNotExposed) {
  const Read r = h200("overlap_copy_compute");
  EXPECT_LT(r.share("copy.exposed"), 0.02);
  // 19.8 ms of copies in four steps, of which the window holds three and the next one's prefetch.
  EXPECT_NEAR(static_cast<double>(r.analysis.accounting.devices[0].hidden_copy.value) / 1e6, 19.25,
              0.01);
}

TEST(RealFiles, ExposedCopiesAreNamedByMemory) {
  EXPECT_EQ(h200("large_pageable_copy").first_owner(), "copy.exposed.h2d.pageable");
  const Read pinned = h200("large_pinned_copy");
  EXPECT_EQ(pinned.first_owner(), "copy.exposed.h2d.pinned");
  const auto& copies = pinned.analysis.metrics.total.copies;
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].bytes, Bytes(6LL * 256 * 1024 * 1024));
  EXPECT_NEAR(copies[0].bytes_per_second() / 1e9, 55, 0.5);  // the link
}

TEST(RealFiles, SmallKernelsWaitForTheirLaunches) {
  const Read eager = h200("launch_bound");
  EXPECT_GT(eager.share("idle.in_call") + eager.share("idle.dispatch") +
                eager.share("idle.starved.framework"),
            0.8);
  const Read graphed = h200("launch_bound_graphed");
  EXPECT_GT(graphed.share("compute"), 0.89);
  EXPECT_NEAR(graphed.share("idle.graph"), 0.076, 0.001);
  EXPECT_DOUBLE_EQ(graphed.share("idle.blocked"), 0);
  const Read sync = h200("sync_bound");
  EXPECT_GT(sync.share("idle.starved.sync"), 0.05);
}

TEST(RealFiles, OneRankAloneCannotSplitItsCollectives) {
  const Read waiting = h200("ddp/straggler.rank0");
  EXPECT_EQ(waiting.first_owner(), "comm.exposed.unsplit");
  EXPECT_NEAR(waiting.analysis.metrics.gpu_busy_ratio, 0.96, 0.001);
  EXPECT_EQ(waiting.analysis.accounting.devices[0].rank, 0);
  const Read late = h200("ddp/straggler.rank1");
  EXPECT_EQ(late.first_owner(), "idle.starved.range:slow_augment");
  // The same steps on both ranks, whoever waits.
  EXPECT_NEAR(waiting.unit_ms(), 25.97, 0.01);
  EXPECT_NEAR(late.unit_ms(), 26.55, 0.01);
}

TEST(RealFiles, TwoRunsOfOneProgramDoTheSameDeviceWork) {
  const auto busy_per_step = [](const Read& r) {
    return static_cast<double>(r.analysis.metrics.total.busy.value) / 20e6;
  };
  EXPECT_NEAR(busy_per_step(h200("aa/a1")), 4.078, 0.0005);
  EXPECT_NEAR(busy_per_step(h200("aa/a2")), 4.077, 0.001);
  EXPECT_NEAR(busy_per_step(h200("aa/b1")), 4.413, 0.0005);
  const Read a1 = h200("aa/a1");
  EXPECT_NE(a1.analysis.window.note.find("ProfilerStep#0 left out"), std::string::npos);
  EXPECT_EQ(a1.analysis.window.unit_count, 18U);
}

// The parts of idle time that an independent script measured on these files, in percent of the
// device span.
TEST(RealFiles, GapsSplitAsMeasuredIndependently) {
  struct Case {
    const char* file;
    double starved, in_call, dispatch;
  };
  for (const Case& c :
       {Case{"h100_bert", 81.4, 8.2, 2.5}, Case{"mi300_bert", 58.1, 6.8, 23.9},
        Case{"h100_falconsai", 70.8, 9.6, 3.4}, Case{"mi300_falconsai", 37.4, 7.6, 30.0}}) {
    ROOFLAB_CASE(path, "public/tracelens/" + std::string(c.file) + ".json.gz");
    const Read r = read(path);
    EXPECT_NEAR(100 * r.share("idle.starved"), c.starved, 0.06) << c.file;
    EXPECT_NEAR(100 * r.share("idle.in_call"), c.in_call, 0.06) << c.file;
    EXPECT_NEAR(100 * r.share("idle.dispatch"), c.dispatch, 0.06) << c.file;
  }
}

TEST(RealFiles, TheClassicDataLoadingStory) {
  ROOFLAB_CASE(before, "public/tensorboard/resnet50_num_workers_0.json.gz");
  ROOFLAB_CASE(after, "public/tensorboard/resnet50_num_workers_4.json.gz");
  const Read w0 = read(before);
  const Read w4 = read(after);
  EXPECT_NEAR(w0.share("idle.starved.input"), 0.32, 0.01);
  EXPECT_LT(w4.share("idle.starved.input"), 0.01);
  EXPECT_EQ(w0.analysis.units.source, UnitSource::kStepMarker);
  EXPECT_EQ(w0.analysis.window.unit_count, 5U);
}

TEST(RealFiles, FiltersSelectOrFail) {
  Selection selection;
  selection.steps = {2, 3};
  const Read r = read(test_data("h200/loader_steady_w0.json.gz"), selection);
  EXPECT_EQ(r.analysis.window.unit_count, 2U);
  EXPECT_EQ(r.analysis.window.first_unit, 2U);
  expect_exact(r.analysis.accounting, "steps 2-3");
  const auto catalog = hw::DeviceCatalog::load();
  ASSERT_TRUE(catalog.has_value());
  const auto fails = [&](const Selection& s) {
    const auto analysis = analyse(*r.profile, *catalog, s);
    return !analysis && analysis.error().code == ErrorCode::kUsage;
  };
  Selection device;
  device.device = 5;
  EXPECT_TRUE(fails(device));
  Selection stream;
  stream.stream = 12345;
  EXPECT_TRUE(fails(stream));
  Selection range;
  range.step_range = "no such range";
  EXPECT_TRUE(fails(range));
  Selection steps;
  steps.steps = {100, 200};
  EXPECT_TRUE(fails(steps));
}

}  // namespace
}  // namespace rooflab::analysis
