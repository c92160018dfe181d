// SPDX-License-Identifier: Apache-2.0
#include "report/cost_rows.h"

#include <algorithm>

#include "analysis/owner_totals.h"

namespace rooflab::report {

std::vector<CostRow> cost_rows(const CostReport& r) {
  const cost::Money spent = cost::spend(r.fleet);
  std::vector<CostRow> rows;
  for (const rules::Finding& f : r.findings.fired) {
    if (!f.gain || f.gain->high <= 1) continue;
    CostRow row{f.rule, f.title, *f.gain, {}};
    const double low = f.gain->low.value_or(1);
    row.range = cost::saving_range(spent, low, f.gain->likely.value_or(low), f.gain->high);
    rows.push_back(std::move(row));
  }
  return rows;
}

IdleCost idle_cost(const CostReport& r) {
  IdleCost out;
  out.spent = cost::spend(r.fleet);
  out.busy = analysis::window_busy_ratio(r.analysis->accounting);
  out.idle = cost::idle_waste(out.spent, out.busy);
  if (r.analysis->kernels.useful_ratio) {
    out.useful = Ratio{std::clamp(*r.analysis->kernels.useful_ratio, 0.0, 1.0)};
    out.not_useful = cost::idle_waste(out.spent, *out.useful);
  }
  return out;
}

double years(const cost::Fleet& fleet) {
  return fleet.hours > 0 ? cost::kHoursPerYear / fleet.hours : 0;
}

}  // namespace rooflab::report
