// SPDX-License-Identifier: Apache-2.0
#include "report/top.h"

#include <re2/re2.h>

#include <algorithm>

namespace rooflab::report {
namespace {

// A row is kept if any of its texts matches.
bool matches(const std::vector<Cell>& row, const re2::RE2& pattern) {
  return std::any_of(row.begin(), row.end(), [&](const Cell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr && re2::RE2::PartialMatch(*text, pattern);
  });
}

}  // namespace

const analysis::Window* chosen_window(const analysis::Analysis& analysis) {
  const analysis::Selection& s = analysis.selection;
  return s.steps || s.window || s.skip_first > 0 ? &analysis.window : nullptr;
}

Result<Table> build_top(const Top& top, const analysis::Analysis& analysis,
                        const TopOptions& options, const Style& style) {
  Table table = top.build(analysis, options, style);
  if (!options.name.empty()) {
    const re2::RE2 pattern(options.name, re2::RE2::Quiet);
    if (!pattern.ok())
      return fail(ErrorCode::kUsage, "bad pattern: " + pattern.error(), "--name", "RE2 syntax");
    std::erase_if(table.rows, [&](const std::vector<Cell>& row) { return !matches(row, pattern); });
  }
  if (options.limit > 0 && table.rows.size() > options.limit) {
    table.rows_left_out = static_cast<std::int64_t>(table.rows.size() - options.limit);
    table.rows.resize(options.limit);
  }
  return table;
}

}  // namespace rooflab::report
