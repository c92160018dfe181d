// SPDX-License-Identifier: Apache-2.0
#include "analysis/serial_runs.h"

#include <algorithm>
#include <utility>

namespace rooflab::analysis {
namespace {

using model::Profile;
using model::WorkId;

// Below this a launch takes as long as the kernel, and streams do not help.
constexpr std::int64_t kLeastKernelNs = 20'000;
// Back to back: no host wait between them. Stream gaps are 1-2 us, with dependencies up to 10.
constexpr std::int64_t kMostGapNs = 10'000;
constexpr std::size_t kLeastRun = 2;

// 0 where it is not recorded or cannot be a grid.
std::int64_t blocks_of(const Profile& p, std::size_t row) {
  const model::LaunchConfigId config = p.work.config[row];
  if (!config.valid() || config.row >= p.launch_configs.size()) return 0;
  std::int64_t blocks = 1;
  for (const std::int32_t axis : p.launch_configs[config.row].grid) {
    if (axis <= 0) return 0;
    if (__builtin_mul_overflow(blocks, std::int64_t{axis}, &blocks)) return 0;
  }
  return blocks;
}

bool is_small(const Profile& p, const KernelClasses& classes, std::size_t row,
              std::int64_t multiprocessors) {
  if (p.work.kind[row] != model::WorkKind::kKernel || p.work.duration[row] < kLeastKernelNs) {
    return false;
  }
  if (classes.of(p.work.name[row]) >= KernelClass::kComm) return false;
  const std::int64_t blocks = blocks_of(p, row);
  return blocks > 0 && multiprocessors > 0 && blocks <= multiprocessors / 2;
}

// Different calls with the same operator, arguments, kernel and geometry.
bool look_independent(const Profile& p, const std::vector<model::SpanId>& ops, std::size_t a,
                      std::size_t b) {
  if (p.work.name[a] != p.work.name[b] || p.work.config[a] != p.work.config[b]) return false;
  if (p.work.track[a] != p.work.track[b]) return false;
  if (a >= ops.size() || b >= ops.size() || !ops[a].valid() || !ops[b].valid()) return false;
  const model::SpanId x = ops[a];
  const model::SpanId y = ops[b];
  return x != y && p.spans.name[x.row] == p.spans.name[y.row] &&
         p.spans.args[x.row] == p.spans.args[y.row];
}

void close(const Profile& p, std::vector<std::size_t>& rows, std::int64_t multiprocessors,
           std::vector<SerialRun>& out) {
  if (rows.size() >= kLeastRun) {
    SerialRun run;
    for (const std::size_t row : rows) {
      run.works.emplace_back(static_cast<std::uint32_t>(row));
      run.blocks = std::max(run.blocks, blocks_of(p, row));
      run.time = Nanos(saturating_add(run.time.value, p.work.duration[row]));
    }
    run.fit = multiprocessors / run.blocks;
    out.push_back(std::move(run));
  }
  rows.clear();
}

}  // namespace

std::int64_t multiprocessors_of(const Profile& p, model::DeviceId device, int catalogue) {
  if (device.valid() && device.row < p.devices.size() && p.devices[device.row].multiprocessors > 0)
    return p.devices[device.row].multiprocessors;
  return catalogue > 0 ? catalogue : -1;
}

std::vector<SerialRun> serial_runs(const Profile& p, const KernelClasses& classes,
                                   const std::vector<model::SpanId>& ops, const Window& window,
                                   int multiprocessors) {
  // All work of the device in order of start: a kernel of another stream in between means that the
  // device was not left to the run alone.
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < p.work.size(); ++row) {
    if (p.work.start[row] >= window.start.value && p.work.start[row] < window.end.value) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t row) {
      return std::pair(p.device_of(row).row, p.work.start[row]);
    };
    return key(a) < key(b);
  });
  std::vector<SerialRun> out;
  std::vector<std::size_t> run;
  std::int64_t fits_on = -1;
  for (const std::size_t row : rows) {
    const std::int64_t size = multiprocessors_of(p, p.device_of(row), multiprocessors);
    const bool small = is_small(p, classes, row, size);
    const bool goes_on = small && !run.empty() && look_independent(p, ops, run.back(), row) &&
                         p.work.start[row] - p.work.end(run.back()) <= kMostGapNs &&
                         p.work.start[row] >= p.work.end(run.back());
    if (!goes_on) close(p, run, fits_on, out);
    if (small) run.push_back(row);
    fits_on = size;
  }
  close(p, run, fits_on, out);
  return out;
}

}  // namespace rooflab::analysis
