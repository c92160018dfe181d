// SPDX-License-Identifier: Apache-2.0
#include "report/whatif_rows.h"

#include <algorithm>
#include <map>

namespace rooflab::report {

StepAfter step_after(const verdict::Tried& t) {
  const double before = t.gain.step_before_ns;
  return {before / t.gain.high, t.gain.step_after_ns, before / t.gain.low};
}

std::vector<OwnerChange> owner_changes(const verdict::Tried& t) {
  std::map<std::string, OwnerChange> rows;
  const auto add = [&](const graph::Shares& shares, double step, double OwnerChange::*ratio,
                       double OwnerChange::*ns) {
    for (const analysis::OwnerShare& share : shares.owners) {
      OwnerChange& row = rows[share.owner];
      row.owner = share.owner;
      row.*ratio = ratio_of(share.time, shares.total).value;
      row.*ns = row.*ratio * step;
    }
  };
  add(t.before, t.gain.step_before_ns, &OwnerChange::before_ratio, &OwnerChange::before_ns);
  add(t.after, t.gain.step_after_ns, &OwnerChange::after_ratio, &OwnerChange::after_ns);
  std::vector<OwnerChange> out;
  for (auto& [unused, row] : rows) out.push_back(std::move(row));
  std::stable_sort(out.begin(), out.end(), [](const OwnerChange& a, const OwnerChange& b) {
    return std::max(a.before_ns, a.after_ns) > std::max(b.before_ns, b.after_ns);
  });
  return out;
}

}  // namespace rooflab::report
