// SPDX-License-Identifier: Apache-2.0
// The overview page of the PyTorch profiler plugin for TensorBoard: time of each step by role,
// their average, and the use of each device.
//
// The plugin was removed in April 2026; its advice to raise the number of loader workers (more than
// 5 % of the step in the loader) is given as a figure of 1 or 0.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analysis/intervals.h"
#include "analysis/peers/peer.h"
#include "analysis/peers/tensorboard/device_use.h"
#include "analysis/peers/tensorboard/events.h"

namespace rooflab::analysis {
namespace {

using tensorboard::Events;
using tensorboard::kRoles;
using tensorboard::Role;
using tensorboard::Step;

constexpr double kLoaderAdviceShare = 0.05;  // tb_plugin, profiler/data.py

constexpr std::array<const char*, kRoles> kRoleKeys = {
    "kernel", "memcpy", "memset", "communication", "runtime", "data_loader", "cpu_exec", "other"};

struct StepTimes {
  std::array<double, kRoles> role_us{};
  double total_us = 0;
};

double in_us(Nanos time) { return static_cast<double>(time.value) / 1e3; }

// What each role owns of the steps. Where nothing is left for a role, the plugin starts over with
// all of the steps; that is its behaviour, and kept.
std::array<Intervals, kRoles> owned(const Events& events, const std::vector<Step>& steps) {
  Intervals all;
  for (const Step& step : steps) all.push_back(step.time);
  all = unite(std::move(all));
  std::array<Intervals, kRoles> owns;
  Intervals left;
  for (std::size_t r = 0; r + 1 < kRoles; ++r) {
    if (left.empty()) left = all;
    owns[r] = intersect(left, events.roles[r]);
    left = subtract(left, owns[r]);
  }
  owns[static_cast<std::size_t>(Role::kOther)] = std::move(left);
  return owns;
}

std::vector<StepTimes> times_of_steps(const Events& events, const std::vector<Step>& steps) {
  const std::array<Intervals, kRoles> owns = owned(events, steps);
  std::vector<StepTimes> times(steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    times[s].total_us = in_us(length(steps[s].time));
    for (std::size_t r = 0; r < kRoles; ++r)
      times[s].role_us[r] = in_us(length_inside(owns[r], steps[s].time));
  }
  return times;
}

PeerRow step_row(std::string label, const StepTimes& times) {
  PeerRow row{std::move(label), {{"total_us", times.total_us, 0}}};
  for (std::size_t r = 0; r < kRoles; ++r)
    row.figures.push_back({std::string(kRoleKeys[r]) + "_us", times.role_us[r], 0});
  return row;
}

PeerRow average_row(std::string label, const std::vector<StepTimes>& times) {
  StepTimes average;
  const auto count = static_cast<double>(times.size());
  for (const StepTimes& step : times) {
    average.total_us += step.total_us / count;
    for (std::size_t r = 0; r < kRoles; ++r) average.role_us[r] += step.role_us[r] / count;
  }
  PeerRow row = step_row(std::move(label), average);
  const auto share = [&](std::size_t r) {
    return average.total_us > 0 ? average.role_us[r] / average.total_us : 0.0;
  };
  for (std::size_t r = 0; r < kRoles; ++r)
    row.figures.push_back({std::string(kRoleKeys[r]) + "_percent", 100 * share(r), 2});
  const bool advises = share(static_cast<std::size_t>(Role::kDataLoader)) > kLoaderAdviceShare;
  row.figures.push_back({"advises_loader_workers", advises ? 1.0 : 0.0, 0});
  return row;
}

PeerRow device_row(const model::Profile& p, const tensorboard::DeviceUse& use) {
  PeerRow row{"device " + std::to_string(p.devices[use.device.row].index),
              {{"gpu_utilization_percent", 100 * use.utilisation.value, 2}}};
  if (use.sm_efficiency)
    row.figures.push_back({"sm_efficiency_percent", 100 * use.sm_efficiency->value, 2});
  if (use.occupancy) row.figures.push_back({"occupancy_percent", 100 * use.occupancy->value, 2});
  return row;
}

PeerReport report_of(const model::Profile& p, const Events& events,
                     const std::vector<Step>& steps) {
  PeerReport report;
  report.definition =
      "Window: profiler steps, each from its host marker, or the previous step's end if that is "
      "later, to the end of the device work launched in it; a last step with less than 80 % of the "
      "work of the one before is dropped. Each moment belongs to the first of kernel, memcpy, "
      "memset, communication, runtime, loader, CPU operators, other.";
  report.difference =
      "rooflab's steps run from kernel to kernel on the device, its busy time includes copies, and "
      "it names what the host did in a gap by what was late, not by what happened to run. Kernels "
      "launched outside the markers are outside the plugin's steps.";
  const std::vector<StepTimes> times = times_of_steps(events, steps);
  report.rows.push_back(average_row("average", times));
  for (std::size_t s = 0; s < steps.size(); ++s)
    report.rows.push_back(step_row("step " + steps[s].name, times[s]));
  const Interval window{steps.front().time.start, steps.back().time.end};
  for (const auto& use : tensorboard::device_use(p, window))
    report.rows.push_back(device_row(p, use));
  return report;
}

Result<PeerReport> figures(const model::Profile& p) {
  const Events events = tensorboard::collect(p, /*device_markers=*/false);
  const std::vector<Step> steps = tensorboard::device_steps(p, events);
  if (steps.empty()) {
    return fail(ErrorCode::kInconclusive, "no profiler step and no operator in the file",
                p.provenance.input,
                "the plugin's overview is per step: call profiler.step() in the loop");
  }
  PeerReport report = report_of(p, events, steps);
  const auto& kinds = p.spans.kind;
  if (std::find(kinds.begin(), kinds.end(), model::SpanKind::kDeviceRange) == kinds.end())
    return report;
  const Events with_projections = tensorboard::collect(p, /*device_markers=*/true);
  const std::vector<Step> doubled = tensorboard::device_steps(p, with_projections);
  if (doubled.size() == steps.size()) return report;
  report.rows.push_back(average_row("average, markers on streams counted as steps",
                                    times_of_steps(with_projections, doubled)));
  report.difference +=
      " The plugin's last versions took a marker's projection on a stream for one more step, of "
      "almost no length, so that their averages are about half: that row is given too.";
  return report;
}

}  // namespace

Peer peer_tensorboard() {
  return {"tensorboard", "PyTorch profiler plugin for TensorBoard, overview", figures};
}

}  // namespace rooflab::analysis
