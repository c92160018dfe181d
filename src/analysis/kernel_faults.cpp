// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_faults.h"

#include <algorithm>
#include <cmath>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/optimizer_ranges.h"

namespace rooflab::analysis {

FaultFinder::FaultFinder(const Analysis& analysis, std::vector<const hw::DeviceEntry*> devices)
    : a(analysis),
      p(*analysis.profile),
      works(p, analysis.classes, analysis.ops),
      facts(p, analysis.ops),
      paths(kernel_paths(p)),
      devices_(std::move(devices)) {
  devices_.resize(p.devices.size(), nullptr);
  for (const Unit& unit : a.units.units) {
    if (unit.has_device) step_starts_.push_back(unit.device_start.value);
  }
  std::sort(step_starts_.begin(), step_starts_.end());
  kernels_of_span_.assign(p.spans.size(), 0);
  for (std::size_t i = 0; i < p.work.size() && i < a.ops.size(); ++i) {
    const std::uint32_t span = a.ops[i].row;
    if (is_kernel(i) && span < kernels_of_span_.size()) ++kernels_of_span_[span];
  }
  trains_ = !p.forward_backward.empty();
  optimizer_of_span_ = optimizer_ranges(p, a.tree);
}

model::SpanId FaultFinder::optimizer(std::size_t i) const {
  const std::uint32_t span = p.work.launch[i].row;
  return span < optimizer_of_span_.size() ? optimizer_of_span_[span] : model::SpanId();
}

const hw::DeviceEntry* FaultFinder::device(std::size_t i) const {
  const model::DeviceId id = p.device_of(i);
  return id.row < devices_.size() ? devices_[id.row] : nullptr;
}

int FaultFinder::multiprocessors(std::size_t i) const {
  const model::DeviceId id = p.device_of(i);
  if (id.row >= p.devices.size()) return -1;
  const int recorded = p.devices[id.row].multiprocessors;
  if (recorded > 0) return recorded;
  return devices_[id.row] != nullptr ? devices_[id.row]->multiprocessors : -1;
}

int FaultFinder::generation(std::size_t i) const {
  const model::DeviceId id = p.device_of(i);
  if (id.row >= p.devices.size()) return 0;
  const model::Device& d = p.devices[id.row];
  constexpr int kMostParts = 1000;
  if (d.compute_major <= 0 || d.compute_major > kMostParts || d.compute_minor < 0 ||
      d.compute_minor > 9) {
    return 0;
  }
  return d.compute_major * 10 + d.compute_minor;
}

KernelClass FaultFinder::class_of(std::size_t i) const { return a.classes.of(p.work.name[i]); }
KernelMath FaultFinder::math_of(std::size_t i) const { return a.classes.math(p.work.name[i]); }

const KernelPath& FaultFinder::path_of(std::size_t i) const {
  static const KernelPath kNothing;
  const std::uint32_t name = p.work.name[i].row;
  return name < paths.size() ? paths[name] : kNothing;
}

std::size_t FaultFinder::step_at(std::int64_t time) const {
  return static_cast<std::size_t>(std::upper_bound(step_starts_.begin(), step_starts_.end(), time) -
                                  step_starts_.begin());
}

std::size_t FaultFinder::next_on_stream(std::size_t i) const {
  const std::size_t next = i + 1;
  return next < p.work.size() && p.work.track[next] == p.work.track[i] ? next : p.work.size();
}

bool FaultFinder::is_kernel(std::size_t i) const {
  return i < p.work.size() && p.work.kind[i] == model::WorkKind::kKernel &&
         p.work.duration[i] > 0 && is_compute(class_of(i));
}

std::uint32_t FaultFinder::kernels_of_op(std::size_t i) const {
  const std::uint32_t span = i < a.ops.size() ? a.ops[i].row : 0xffffffffU;
  return span < kernels_of_span_.size() ? kernels_of_span_[span] : 0;
}

double FaultFinder::blocks(std::size_t i) const {
  const model::LaunchConfigId id = p.work.config[i];
  if (id.row >= p.launch_configs.size()) return 0;
  double total = 1;
  for (const std::int32_t size : p.launch_configs[id.row].grid) total *= std::max(size, 0);
  return total;
}

double FaultFinder::places_per_multiprocessor(std::size_t i) const {
  const model::LaunchConfigId id = p.work.config[i];
  const model::DeviceId device_id = p.device_of(i);
  if (id.row >= p.launch_configs.size() || device_id.row >= p.devices.size()) return 1;
  const model::LaunchConfig& config = p.launch_configs[id.row];
  const model::Device& d = p.devices[device_id.row];
  double threads = 1;
  for (const std::int32_t size : config.block) threads *= std::max(size, 0);
  if (threads <= 0) return 1;
  constexpr double kMostBlocks = 16;  // the least of the limits of devices since 2012
  double places = kMostBlocks;
  const auto limit = [&](double available, double needed) {
    if (available > 0 && needed > 0) places = std::min(places, std::floor(available / needed));
  };
  limit(d.max_threads_per_multiprocessor, threads);
  limit(static_cast<double>(d.registers_per_multiprocessor), config.registers * threads);
  limit(static_cast<double>(d.shared_bytes_per_multiprocessor), config.shared_bytes);
  return std::max(1.0, places);
}

void add_run(const FaultFinder& finder, const std::vector<std::size_t>& works, WorkRun run,
             WorkRuns& out) {
  run.first = static_cast<std::uint32_t>(out.works.size());
  run.count = static_cast<std::uint32_t>(works.size());
  run.ns_now = 0;
  for (const std::size_t work : works) {
    out.works.emplace_back(work);
    run.ns_now = saturating_add(run.ns_now, finder.p.work.duration[work]);
  }
  run.then = at_most(run.then, static_cast<double>(run.ns_now));
  out.runs.push_back(run);
}

KernelFaults find_kernel_faults(const Analysis& analysis, const hw::DeviceCatalog& catalog) {
  KernelFaults out;
  if (analysis.profile == nullptr || analysis.profile->work.size() == 0) return out;
  std::vector<const hw::DeviceEntry*> devices;
  for (const model::Device& d : analysis.profile->devices)
    devices.push_back(catalog.find(analysis.profile->text(d.name), d.multiprocessors));
  const FaultFinder finder(analysis, std::move(devices));
  find_slow_products(finder, out);
  find_few_tiles(finder, out);
  find_elementwise_runs(finder, out);
  find_unfused_attention(finder, out);
  find_unfused_optimizers(finder, out);
  find_copies(finder, out);
  return out;
}

}  // namespace rooflab::analysis
