// SPDX-License-Identifier: Apache-2.0
// Findings that rooflab.toml silences, each with the reason given there.
#pragma once

#include <vector>

#include "report/why.h"
#include "rules/rule.h"

namespace rooflab::cli {

// Removes the findings that are asked for and returns the requests that removed one.
[[nodiscard]] inline std::vector<report::Suppressed> suppress(
    rules::Findings& findings, const std::vector<report::Suppressed>& requests) {
  std::vector<report::Suppressed> used;
  for (const report::Suppressed& request : requests) {
    const auto removed = std::erase_if(findings.fired, [&](const rules::Finding& f) {
      return f.rule == request.rule || f.id == request.rule;
    });
    if (removed > 0) used.push_back(request);
  }
  return used;
}

}  // namespace rooflab::cli
