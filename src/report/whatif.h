// SPDX-License-Identifier: Apache-2.0
// The answer of `rooflab whatif`: one composed change, or a list of what each change would gain.
// Pure formatting of verdict/whatif.h.
#pragma once

#include <optional>
#include <string>

#include "report/style.h"
#include "report/table.h"
#include "verdict/gain_basis.h"
#include "verdict/whatif.h"

namespace rooflab::report {

struct WhatIfReport {
  const analysis::Analysis* analysis = nullptr;
  verdict::GainBasis basis;
  bool as_recorded = false;               // deflation was refused
  std::optional<verdict::Tried> tried;    // with --change
  std::optional<verdict::Offers> offers;  // without; both absent: unsuitable for gains
};

[[nodiscard]] std::string whatif_text(const WhatIfReport& report, const Style& style);
[[nodiscard]] Json whatif_json(const WhatIfReport& report);
// Owners before and after, or the offers: for csv and Markdown.
[[nodiscard]] Table whatif_table(const WhatIfReport& report);

}  // namespace rooflab::report
