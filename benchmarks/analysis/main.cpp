// SPDX-License-Identifier: Apache-2.0
// Speed of the analysis on made-up profiles of the shape of real ones, as ratios against work that
// any reader must do.
//
//   bench_analysis containment [RANGES LAUNCHES]   nesting and operator of each launch, against
//   std::sort of the keys bench_analysis stages [SPANS WORKS]            each stage of the
//   analysis, against std::sort of the starts
//
// Refuses other arguments. Profiles are filled directly, already sorted, as the importers' build
// step leaves them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "analysis/accounting.h"
#include "analysis/metrics.h"
#include "analysis/units.h"
#include "base/huge_pages.h"
#include "model/profile.h"

namespace {

using namespace rooflab;  // NOLINT(google-build-using-namespace): a program of one file

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void add_span(model::Profile& p, std::int64_t start, std::int64_t duration, StringId name,
              model::SpanKind kind) {
  p.spans.start.push_back(start);
  p.spans.duration.push_back(duration);
  p.spans.name.push_back(name);
  p.spans.track.emplace_back(0U);
  p.spans.kind.push_back(kind);
  p.spans.args.emplace_back();
  p.spans.correlation.push_back(-1);
}

void add_kernel(model::Profile& p, std::int64_t start, std::int64_t duration, StringId name,
                model::SpanId launch) {
  p.work.start.push_back(start);
  p.work.duration.push_back(duration);
  p.work.name.push_back(name);
  p.work.track.emplace_back(1U);
  p.work.kind.push_back(model::WorkKind::kKernel);
  p.work.direction.push_back(model::CopyDirection::kNone);
  p.work.source_memory.push_back(model::MemoryKind::kUnknown);
  p.work.target_memory.push_back(model::MemoryKind::kUnknown);
  p.work.bytes.push_back(-1);
  p.work.config.emplace_back();
  p.work.collective.emplace_back();
  p.work.graph_node.push_back(-1);
  p.work.correlation.push_back(-1);
  p.work.launch.push_back(launch);
  p.work.op.emplace_back();
}

// Steps of operators three deep with frames around them; every fifth span launches a kernel.
model::Profile made_up(std::size_t spans, std::size_t works) {
  model::Profile p;
  p.processes.push_back({1, {}, {}});
  p.threads.push_back({model::ProcessId(0U), 1, {}});
  p.devices.emplace_back();
  model::Track thread;
  thread.kind = model::TrackKind::kThread;
  thread.thread = model::ThreadId(0U);
  thread.process = model::ProcessId(0U);
  model::Track stream;
  stream.kind = model::TrackKind::kStream;
  stream.device = model::DeviceId(0U);
  stream.process = model::ProcessId(0U);
  stream.stream = 7;
  p.tracks = {thread, stream};
  std::vector<StringId> ops, kernels;
  for (int i = 0; i < 200; ++i) ops.push_back(p.strings.intern("aten::op" + std::to_string(i)));
  for (int i = 0; i < 50; ++i) {
    kernels.push_back(p.strings.intern("void sgemm_kernel_" + std::to_string(i)));
  }
  const StringId call = p.strings.intern("cudaLaunchKernel");
  const StringId frame = p.strings.intern("train.py(10): step");
  std::mt19937 random(1);
  const auto below = [&random](std::uint32_t n) { return random() % n; };
  std::int64_t now = 0, device = 0;
  std::size_t step = 0;
  const std::size_t launches_each =
      std::max<std::size_t>(1, works * 5 / std::max<std::size_t>(1, spans));
  while (p.spans.size() + 5 < spans) {
    if (p.spans.size() >= step * (spans / 20)) {
      add_span(p, now, static_cast<std::int64_t>(spans) * 500 / 20,
               p.strings.intern("ProfilerStep#" + std::to_string(step)),
               model::SpanKind::kUserRange);
      ++step;
    }
    add_span(p, now, 2400, frame, model::SpanKind::kPython);
    add_span(p, now + 100, 2200, ops[below(200)], model::SpanKind::kOp);
    add_span(p, now + 200, 2000, ops[below(200)], model::SpanKind::kOp);
    add_span(p, now + 300, 500, ops[below(200)], model::SpanKind::kOp);
    add_span(p, now + 900, 600, call, model::SpanKind::kRuntimeCall);
    for (std::size_t i = 0; i < launches_each && p.work.size() < works; ++i) {
      device = std::max<std::int64_t>(device, now + 1000 + below(2000));
      const std::int64_t duration = 200 + static_cast<std::int64_t>(below(1500));
      add_kernel(p, device, duration, kernels[p.work.size() % 50],
                 model::SpanId(p.spans.size() - 1));
      device += duration;
    }
    now += 2500;
  }
  return p;
}

double sort_seconds(const model::Profile& p) {
  std::vector<std::int64_t> keys;
  std::mt19937_64 random(2);
  for (std::size_t i = 0; i < p.spans.size() + p.work.size(); ++i) {
    keys.push_back(static_cast<std::int64_t>(random() >> 1U));
  }
  return seconds_of([&] { std::sort(keys.begin(), keys.end()); });
}

int containment(std::size_t ranges, std::size_t launches) {
  const model::Profile p = made_up(ranges, launches);
  fmt::print("{} ranges, {} launches\n", p.spans.size(), p.work.size());
  for (int round = 0; round < 3; ++round) {
    const double sort = sort_seconds(p);
    std::size_t found = 0;
    const double sweep = seconds_of([&] {
      const analysis::HostTree tree = analysis::build_host_tree(p);
      for (const model::SpanId op : analysis::ops_of_work(p, tree)) found += op.valid() ? 1U : 0U;
    });
    fmt::print("sort {:.3f} s, containment {:.3f} s, ratio {:.2f} ({} found)\n", sort, sweep,
               sweep / sort, found);
  }
  return 0;
}

int stages(std::size_t spans, std::size_t works) {
  const model::Profile p = made_up(spans, works);
  const analysis::Selection selection;
  fmt::print("{} spans, {} works\n", p.spans.size(), p.work.size());
  for (int round = 0; round < 3; ++round) {
    analysis::HostTree tree;
    analysis::KernelClasses classes;
    analysis::Units units;
    analysis::Window window;
    const double sort = sort_seconds(p);
    const double t_tree = seconds_of([&] { tree = analysis::build_host_tree(p); });
    const double t_classes = seconds_of([&] { classes = analysis::classify_kernels(p); });
    const double t_units =
        seconds_of([&] { units = analysis::find_units(p, tree, classes, selection); });
    const double t_window = seconds_of([&] {
      if (auto chosen = analysis::choose_window(p, units, selection)) window = *chosen;
    });
    std::size_t stretches = 0;
    const double t_account = seconds_of([&] {
      const auto a = analysis::account(p, tree, classes, units, window, selection);
      for (const auto& d : a.devices) stretches += d.stretches.size();
    });
    const double t_metrics = seconds_of([&] { (void)analysis::device_metrics(p, classes); });
    const double all = t_tree + t_classes + t_units + t_window + t_account + t_metrics;
    fmt::print(
        "sort {:.3f} s; tree {:.3f}, classes {:.3f}, units {:.3f}, window {:.3f}, accounting "
        "{:.3f} "
        "({} stretches), metrics {:.3f}; all {:.3f} s, ratio {:.2f}\n",
        sort, t_tree, t_classes, t_units, t_window, t_account, stretches, t_metrics, all,
        all / sort);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  use_huge_pages();  // as the rooflab binary does
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
  if (what == "containment") return containment(number(2, 16000000), number(3, 2200000));
  if (what == "stages") return stages(number(2, 3000000), number(3, 1000000));
  fmt::print(stderr, "usage: bench_analysis containment|stages [SPANS WORKS]\n");
  return 2;
}
