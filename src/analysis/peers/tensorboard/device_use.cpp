// SPDX-License-Identifier: Apache-2.0
#include "analysis/peers/tensorboard/device_use.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace rooflab::analysis::tensorboard {
namespace {

struct Kernel {
  Interval time;
  double blocks_per_sm = 0;  // 0 = not recorded
  double occupancy = -1;     // percent, -1 = not recorded
};

Kernel kernel(const model::Profile& p, std::size_t row, const model::Device& device) {
  Kernel k;
  k.time = {Nanos(p.work.start[row]), Nanos(p.work.end(row))};
  const model::LaunchConfigId id = p.work.config[row];
  if (!id.valid()) return k;
  const model::LaunchConfig& config = p.launch_configs[id.row];
  // Recorders that print no occupancy print no blocks per SM either; without them the plugin has
  // no SM efficiency, though the grid may be known.
  if (config.occupancy_percent < 0 || device.multiprocessors <= 0) return k;
  k.occupancy = static_cast<double>(config.occupancy_percent);
  double blocks = 1;
  for (const std::int32_t size : config.grid) blocks *= std::max(size, 0);
  k.blocks_per_sm = blocks / device.multiprocessors;
  return k;
}

Interval clip(const Interval& time, const Interval& window) {
  return {std::max(time.start, window.start), std::min(time.end, window.end)};
}

double seconds(const Interval& interval) {
  return static_cast<double>(length(interval).value) / 1e9;
}

std::optional<Ratio> occupancy(const std::vector<Kernel>& kernels, const Interval& window) {
  double weighted = 0;
  double time = 0;
  for (const Kernel& k : kernels) {
    if (k.occupancy < 0) continue;
    const double inside = seconds(clip(k.time, window));
    weighted += k.occupancy / 100 * inside;
    time += inside;
  }
  if (time <= 0) return std::nullopt;
  return Ratio{weighted / time};
}

struct Edge {
  Nanos time;
  bool ends = false;
  double change = 0;
};

// The sum of blocks per SM of all kernels that run at a time, at most 1, over the window.
std::optional<Ratio> sm_efficiency(const std::vector<Kernel>& kernels, const Interval& window) {
  std::vector<Edge> edges;
  for (const Kernel& k : kernels) {
    if (k.blocks_per_sm <= 0) continue;
    edges.push_back({k.time.start, false, k.blocks_per_sm});
    edges.push_back({k.time.end, true, -k.blocks_per_sm});
  }
  if (edges.empty() || seconds(window) <= 0) return std::nullopt;
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.time != b.time ? a.time < b.time : a.ends < b.ends;
  });
  double weighted = 0;
  double blocks = 0;
  Nanos since = edges.front().time;
  for (const Edge& edge : edges) {
    if (blocks > 0) weighted += std::min(blocks, 1.0) * seconds(clip({since, edge.time}, window));
    blocks += edge.change;
    since = edge.time;
  }
  return Ratio{weighted / seconds(window)};
}

}  // namespace

std::vector<DeviceUse> device_use(const model::Profile& p, const Interval& window) {
  std::vector<std::vector<Kernel>> kernels(p.devices.size());
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const model::DeviceId device = p.device_of(i);
    if (p.work.kind[i] != model::WorkKind::kKernel || !device.valid()) continue;
    kernels[device.row].push_back(kernel(p, i, p.devices[device.row]));
  }
  std::vector<DeviceUse> uses;
  for (std::size_t d = 0; d < kernels.size(); ++d) {
    if (kernels[d].empty()) continue;
    Intervals busy;
    for (const Kernel& k : kernels[d]) busy.push_back(k.time);
    const Nanos inside = length_inside(unite(std::move(busy)), window);
    uses.push_back({model::DeviceId(d), ratio_of(inside, length(window)),
                    sm_efficiency(kernels[d], window), occupancy(kernels[d], window)});
  }
  return uses;
}

}  // namespace rooflab::analysis::tensorboard
