// SPDX-License-Identifier: Apache-2.0
// The header of a `vtune -report ... -format csv` table: where it is, how its cells are parted, and
// what each column means. Found by words, since delimiter, order and set of columns vary by report,
// grouping and version.
//
//   Function,CPU Time,CPU Time:Effective Time,Module,Source File        hotspots
//   Function;Hardware Event Count:INST_RETIRED.ANY:Self;Module          hw-events
//   Function Stack<tab>CPU Time:Total<tab>CPU Time:Self<tab>Module      a tree, depth by leading
//   spaces
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooflab::importers::vtune {

// Cells of one line; quotes are taken off, "" inside them is one.
void split_cells(std::string_view line, char delimiter, std::vector<std::string>& cells);

// One column of weights.
struct Weights {
  std::size_t column = 0;
  std::string event;      // of the model: "cpu_time", "instructions"
  bool in_time = false;   // seconds
  bool is_total = false;  // with what is below it in the tree
};

enum class Tree : std::uint8_t {
  kNone,     // a row a function
  kCallees,  // "Function Stack": below a function stands what it calls
  kCallers,  // "Function/Call Stack": below it stands who called it
};

struct Columns {
  static constexpr std::size_t kNone = SIZE_MAX;
  std::size_t function = kNone, full_function = kNone, module = kNone, file = kNone, line = kNone,
              thread = kNone, process = kNone;
  Tree tree = Tree::kNone;
  std::vector<Weights> weights;
  std::vector<std::string> unused;  // columns of numbers without a meaning here
  std::size_t count = 0;
};

struct Header {
  char delimiter = ',';
  Columns columns;
};

// Absent: this line heads no such table.
[[nodiscard]] std::optional<Header> parse_table_header(std::string_view line);

// "0.250", "0,250" (a decimal comma), "1,234.5s" -> ns.
[[nodiscard]] std::optional<std::int64_t> seconds_cell(std::string_view text);
// "6410000000", "6,410,000,000", "6 410 000 000" -> the number.
[[nodiscard]] std::optional<std::int64_t> count_cell(std::string_view text);

}  // namespace rooflab::importers::vtune
