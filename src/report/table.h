// SPDX-License-Identifier: Apache-2.0
// One table document, four renderings: a terminal page, CSV, Markdown, JSON rows. A builder fills
// cells with exact values; what they look like is decided here from the column's unit.
//
//   Table t{.id = "kernels", .columns = {{"name", "kernel", Unit::kText}, {"sum_ns", "time",
//   Unit::kNanos}}}; t.rows.push_back({std::string("gemm"), std::int64_t{1'500'000}});
//   to_terminal(t, style)   "kernel   time\n" "gemm  1.50 ms\n"     to_csv(t)
//   "name,sum_ns\ngemm,1500000\n"
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "report/style.h"

namespace rooflab::report {

using Json = nlohmann::ordered_json;

enum class Unit {
  kText,
  kCount,
  kNanos,
  kBytes,
  kRatio,
  kBytesPerSecond,
  kFlopsPerSecond,
  kNumber
};

struct Column {
  std::string key;    // snake_case with unit: CSV header and JSON key
  std::string title;  // terminal and Markdown header
  Unit unit = Unit::kText;
};

using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct Table {
  std::string id;
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  // definitions and caveats, printed below
  std::int64_t rows_left_out = 0;  // by --limit
};

[[nodiscard]] std::string human_cell(const Cell& cell, Unit unit);
// The first text column gives way when the page is too narrow.
[[nodiscard]] std::string to_terminal(const Table& table, const Style& style);
[[nodiscard]] std::string to_csv(const Table& table);
[[nodiscard]] std::string to_markdown(const Table& table);
// {"rows":[{key: value}], "notes":[]}; an empty cell is null.
[[nodiscard]] Json to_json(const Table& table);
// Pretty-printed; invalid UTF-8 becomes U+FFFD. Ends with a newline.
[[nodiscard]] std::string to_text(const Json& json);

}  // namespace rooflab::report
