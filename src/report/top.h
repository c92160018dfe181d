// SPDX-License-Identifier: Apache-2.0
// The tables of `rooflab top --by ID`: one file src/report/tops/<id>.cpp with `Top top_<id>()`,
// which fills one Table from the analysis. Filtering by name and cutting to a length happen here,
// for all alike.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "base/result.h"
#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

struct TopOptions {
  std::size_t limit = 20;  // rows; 0 = all
  std::string name;        // RE2 pattern, empty = all
  bool by_shape = false;   // op: one row a shape
};

struct Top {
  const char* id;
  const char* summary;
  // `style` decides how kernel names are shortened; exact outputs (CSV, JSON) ask for full names.
  Table (*build)(const analysis::Analysis& analysis, const TopOptions& options, const Style& style);
};

std::vector<Top> all_tops();  // generated

// The window if the user chose one (--steps, --window, --skip-first), else null: then tables of
// host activity are about the whole file.
[[nodiscard]] const analysis::Window* chosen_window(const analysis::Analysis& analysis);

// Error: a name pattern that is no regular expression.
[[nodiscard]] Result<Table> build_top(const Top& top, const analysis::Analysis& analysis,
                                      const TopOptions& options, const Style& style);

}  // namespace rooflab::report
