// SPDX-License-Identifier: Apache-2.0
// The answer of `rooflab cost`: what idle time costs at a given price, and what each finding's
// change would save for the same work. Savings are never added.
#pragma once

#include <optional>
#include <string>

#include "cost/traps.h"
#include "report/style.h"
#include "report/table.h"
#include "rules/rule.h"

namespace rooflab::report {

struct CostReport {
  const analysis::Analysis* analysis = nullptr;
  rules::Findings findings;
  cost::Fleet fleet;
  cost::Billing billing = cost::Billing::kOnDemand;
  std::string currency;           // printed behind amounts; empty: none
  std::string price_source;       // where the price is from and of when; empty: not said
  std::optional<double> improve;  // a speed-up the user asks about
};

[[nodiscard]] std::string cost_text(const CostReport& report, const Style& style);
[[nodiscard]] Json cost_json(const CostReport& report);
[[nodiscard]] Table cost_table(const CostReport& report);

}  // namespace rooflab::report
