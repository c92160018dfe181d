// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/human.h"
#include "report/text.h"

namespace rooflab::report {
namespace {

constexpr int kGap = 2;                                   // blanks between columns
constexpr int kNoPage = std::numeric_limits<int>::max();  // --full-names: nothing is cut
constexpr int kLeastText = 12;  // a text column is not squeezed below this

bool is_text(const Column& column) { return column.unit == Unit::kText; }

std::string number_text(double value) {
  if (!std::isfinite(value)) return "";
  return Json(value).dump();
}

std::string exact_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return number_text(*real);
  return {};
}

// RFC 4180: quote where needed, double the quotes inside.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string markdown_field(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '|' || c == '<' || c == '`' || c == '*' || c == '_' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

std::vector<std::vector<std::string>> human_rows(const Table& table) {
  std::vector<std::vector<std::string>> out;
  for (const auto& row : table.rows) {
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      texts.push_back(c < row.size() ? human_cell(row[c], table.columns[c].unit) : "");
    }
    out.push_back(std::move(texts));
  }
  return out;
}

// Natural widths; then the widest text columns give way until the row fits.
std::vector<int> column_widths(const Table& table,
                               const std::vector<std::vector<std::string>>& rows, int page) {
  std::vector<int> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    int width = display_width(table.columns[c].title);
    for (const auto& row : rows) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), 0) +
           kGap * (static_cast<int>(widths.size()) - 1);
  };
  while (total() > page) {
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const bool can_give = is_text(table.columns[c]) && widths[c] > kLeastText;
      if (can_give && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
    }
    if (widest == widths.size()) break;
    widths[widest] = std::max(kLeastText, widths[widest] - (total() - page));
  }
  return widths;
}

std::string terminal_row(const Table& table, const std::vector<std::string>& texts,
                         const std::vector<int>& widths, const Style& style) {
  std::string line;
  for (std::size_t c = 0; c < texts.size(); ++c) {
    if (c > 0) line.append(kGap, ' ');
    if (is_text(table.columns[c])) {
      line += pad_right(fit_middle(texts[c], widths[c], style.ellipsis()), widths[c]);
    } else {
      line += pad_left(texts[c], widths[c]);
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string human_cell(const Cell& cell, Unit unit) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  if (std::holds_alternative<std::monostate>(cell)) return "-";
  const auto* integer = std::get_if<std::int64_t>(&cell);
  const double real = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(cell);
  const std::int64_t whole =
      integer != nullptr
          ? *integer
          : (std::fabs(real) < 9e18 ? static_cast<std::int64_t>(std::llround(real)) : 0);
  switch (unit) {
    case Unit::kText:
    case Unit::kCount:
      return human_count(whole);
    case Unit::kNanos:
      return human_time(Nanos(whole));
    case Unit::kBytes:
      return human_bytes(Bytes(whole));
    case Unit::kRatio:
      return human_percent(Ratio{real});
    case Unit::kBytesPerSecond:
      return human_rate(real);
    case Unit::kFlopsPerSecond:
      return human_flops(real);
    case Unit::kNumber:
      return human_number(real);
  }
  return {};
}

std::string to_terminal(const Table& table, const Style& style) {
  const auto rows = human_rows(table);
  const std::vector<int> widths =
      column_widths(table, rows, style.full_names ? kNoPage : style.width);
  std::string out;
  if (!table.title.empty()) out += paint(style, Ink::kBold, printable(table.title)) + "\n";
  std::vector<std::string> titles;
  for (const Column& column : table.columns) titles.push_back(column.title);
  out += paint(style, Ink::kDim, terminal_row(table, titles, widths, style)) + "\n";
  for (const auto& row : rows) out += terminal_row(table, row, widths, style) + "\n";
  if (rows.empty()) out += "(none)\n";
  if (table.rows_left_out > 0) {
    out += paint(style, Ink::kDim, human_count(table.rows_left_out) + " more (--limit)") + "\n";
  }
  for (const std::string& note : table.notes) {
    for (const std::string& line : wrap(printable(note), style.width))
      out += paint(style, Ink::kDim, line) + "\n";
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) out += ',';
    out += csv_field(table.columns[c].key);
  }
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out += ',';
      if (c < row.size()) out += csv_field(exact_cell(row[c]));
    }
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out;
  if (!table.title.empty()) out += "### " + markdown_field(table.title) + "\n\n";
  std::string rule = "|";
  out += "|";
  for (const Column& column : table.columns) {
    out += " " + markdown_field(column.title) + " |";
    rule += is_text(column) ? " --- |" : " ---: |";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : human_rows(table)) {
    out += "|";
    for (const std::string& text : row) out += " " + markdown_field(text) + " |";
    out += "\n";
  }
  for (const std::string& note : table.notes) out += "\n" + markdown_field(note) + "\n";
  return out;
}

Json to_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      Json& value = object[table.columns[c].key];
      if (c >= row.size()) continue;
      if (const auto* text = std::get_if<std::string>(&row[c])) value = *text;
      if (const auto* integer = std::get_if<std::int64_t>(&row[c])) value = *integer;
      if (const auto* real = std::get_if<double>(&row[c]); real != nullptr && std::isfinite(*real))
        value = *real;
    }
    rows.push_back(std::move(object));
  }
  Json out = Json::object();
  out["rows"] = std::move(rows);
  out["rows_left_out"] = table.rows_left_out;
  out["notes"] = table.notes;
  return out;
}

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rooflab::report
