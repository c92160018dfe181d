// SPDX-License-Identifier: Apache-2.0
#include "analysis/owner_totals.h"

#include <algorithm>
#include <map>
#include <string>

namespace rooflab::analysis {

bool in_branch(std::string_view owner, std::string_view branch) {
  if (!owner.starts_with(branch)) return false;
  return owner.size() == branch.size() || owner[branch.size()] == '.' ||
         owner[branch.size()] == ':';
}

Nanos window_total(const Accounting& accounting) {
  Nanos total;
  for (const DeviceAccounting& device : accounting.devices) total += device.total();
  return total;
}

Nanos branch_time(const Accounting& accounting, std::string_view branch) {
  Nanos time;
  for (const DeviceAccounting& device : accounting.devices) {
    for (const OwnerShare& share : device.owners) {
      if (in_branch(share.owner, branch)) time += share.time;
    }
  }
  return time;
}

Ratio branch_ratio(const Accounting& accounting, std::string_view branch) {
  return ratio_of(branch_time(accounting, branch), window_total(accounting));
}

Ratio window_busy_ratio(const Accounting& accounting) {
  if (accounting.devices.empty()) return {};
  double sum = 0;
  for (const DeviceAccounting& device : accounting.devices) {
    sum += ratio_of(device.busy, device.total()).value;
  }
  return Ratio{sum / static_cast<double>(accounting.devices.size())};
}

std::vector<OwnerShare> owner_totals(const Accounting& accounting) {
  std::map<std::string, Nanos> sums;
  for (const DeviceAccounting& device : accounting.devices) {
    for (const OwnerShare& share : device.owners) sums[share.owner] += share.time;
  }
  std::vector<OwnerShare> out;
  for (const auto& [owner, time] : sums) out.push_back({owner, time});
  std::stable_sort(out.begin(), out.end(),
                   [](const OwnerShare& a, const OwnerShare& b) { return a.time > b.time; });
  return out;
}

}  // namespace rooflab::analysis
