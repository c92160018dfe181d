// SPDX-License-Identifier: Apache-2.0
#include "compare/per_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/owner_totals.h"

namespace rooflab::compare {
namespace {

using analysis::Analysis;
using analysis::DeviceAccounting;

double units_in(const Analysis& a) {
  return static_cast<double>(std::max<std::size_t>(a.window.unit_count, 1));
}

// Time of `device` between two times that has no work on it.
double idle_between(const DeviceAccounting& device, const std::vector<bool>& idle_owner,
                    std::int64_t start, std::int64_t end) {
  const auto& stretches = device.stretches;
  auto it = std::partition_point(stretches.begin(), stretches.end(),
                                 [&](const analysis::Stretch& s) { return s.end.value <= start; });
  double idle = 0;
  for (; it != stretches.end() && it->start.value < end; ++it) {
    if (!idle_owner[it->owner]) continue;
    idle += static_cast<double>(std::min(it->end.value, end) - std::max(it->start.value, start));
  }
  return idle;
}

std::vector<bool> idle_owners(const DeviceAccounting& device) {
  std::vector<bool> idle;
  for (const analysis::OwnerShare& o : device.owners) {
    idle.push_back(analysis::in_branch(o.owner, "idle"));
  }
  return idle;
}

std::string shape_of(const model::Profile& p, model::LaunchConfigId id) {
  if (id.row >= p.launch_configs.size()) return {};
  const model::LaunchConfig& c = p.launch_configs[id.row];
  if (c.grid[0] < 0 || c.block[0] < 0) return {};
  return fmt::format("{}x{}x{} x {}x{}x{}", c.grid[0], c.grid[1], c.grid[2], c.block[0], c.block[1],
                     c.block[2]);
}

}  // namespace

PerUnit per_unit(const Analysis& a) {
  PerUnit out;
  out.block = std::max(1.0, a.window.burst_period_units);
  const std::size_t end = std::min(a.window.first_unit + a.window.unit_count, a.units.units.size());
  std::vector<std::vector<bool>> idle;
  for (const DeviceAccounting& d : a.accounting.devices) idle.push_back(idle_owners(d));
  for (std::size_t i = a.window.first_unit; i < end; ++i) {
    const analysis::Unit& unit = a.units.units[i];
    if (!unit.has_device || !unit.complete) continue;
    const auto step = static_cast<double>((unit.device_end - unit.device_start).value);
    double busy = 0;
    for (std::size_t d = 0; d < idle.size(); ++d) {
      busy += step - idle_between(a.accounting.devices[d], idle[d], unit.device_start.value,
                                  unit.device_end.value);
    }
    out.step_ns.push_back(step);
    out.busy_ns.push_back(idle.empty() ? 0 : busy / static_cast<double>(idle.size()));
  }
  return out;
}

std::vector<KernelUse> kernel_uses(const Analysis& a) {
  const model::Profile& p = *a.profile;
  std::map<std::pair<std::string, std::string>, KernelUse> by_key;
  const double units = units_in(a);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.kind[i] != model::WorkKind::kKernel || p.work.start[i] < a.window.start.value ||
        p.work.start[i] >= a.window.end.value) {
      continue;
    }
    const std::string name(p.text(p.work.name[i]));
    std::string shape = shape_of(p, p.work.config[i]);
    KernelUse& use = by_key[{name, shape}];
    use.name = name;
    use.shape = std::move(shape);
    use.count += 1 / units;
    use.ns += static_cast<double>(p.work.duration[i]) / units;
  }
  std::vector<KernelUse> out;
  for (auto& [key, use] : by_key) out.push_back(std::move(use));
  return out;
}

std::vector<OwnerUse> owner_uses(const Analysis& a) {
  std::vector<OwnerUse> out;
  for (const analysis::OwnerShare& o : analysis::owner_totals(a.accounting)) {
    out.push_back({o.owner, static_cast<double>(o.time.value) / units_in(a)});
  }
  return out;
}

}  // namespace rooflab::compare
