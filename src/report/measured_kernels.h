// SPDX-License-Identifier: Apache-2.0
// Measured kernels on the pages of `why`: what each is bound by, its occupancy, and what to look at
// first. A kernel's findings stand in the order in which to look at them.
//
//   mm_reg        3.86 ms   1.0 %  memory: l1 80.7 %   occupancy 24.3 %
//       bank_conflicts: pad the rows of the tile: __shared__ float tile[32][33], …
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/style.h"
#include "report/table.h"
#include "report/why.h"

namespace rooflab::report {

// Of a kernel by its findings' `where`: faults first, then where it stands.
[[nodiscard]] std::vector<const rules::Finding*> findings_at(const WhyReport& report,
                                                             std::string_view where);
[[nodiscard]] Json rules_of(const WhyReport& report, std::string_view where);
[[nodiscard]] Json measured_json(const model::Profile& profile,
                                 const analysis::MeasuredKernel& kernel);
// Rows of `kernels` for a file without device work.
[[nodiscard]] Json measured_kernels_json(const WhyReport& report);

struct MeasuredLine {
  std::string row, finding;
  Ink ink = Ink::kPlain;
};
[[nodiscard]] std::vector<MeasuredLine> measured_lines(const WhyReport& report, const Style& style,
                                                       std::size_t most);
// Counter values that cannot be true.
[[nodiscard]] std::vector<std::string> flagged_lines(const WhyReport& report, std::size_t most);
[[nodiscard]] Table measured_table(const WhyReport& report, const Style& style);

}  // namespace rooflab::report
