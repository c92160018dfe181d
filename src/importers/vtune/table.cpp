// SPDX-License-Identifier: Apache-2.0
#include "importers/vtune/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "importers/cpu_events.h"
#include "model/profile.h"

namespace rooflab::importers::vtune {
namespace {

constexpr std::string_view kCpuTime = "CPU Time";
constexpr std::string_view kEventCount = "Hardware Event Count:";
constexpr std::string_view kSampleCount = "Hardware Event Sample Count";
constexpr std::string_view kSelf = ":Self";
constexpr std::string_view kTotal = ":Total";
constexpr std::string_view kDelimiters = ",\t;|";
// More columns than this are no report.
constexpr std::size_t kMostColumns = 2048;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

bool take_suffix(std::string_view& s, std::string_view suffix) {
  if (!s.ends_with(suffix)) return false;
  s.remove_suffix(suffix.size());
  return true;
}

bool set(std::size_t& slot, std::size_t column) {
  if (slot == Columns::kNone) slot = column;
  return true;
}

// Columns that name something.
bool read_name(std::string_view title, std::size_t i, Columns& out) {
  const auto tree = [&](Tree kind) {
    out.tree = kind;
    return set(out.function, i);
  };
  if (title == "Function") return set(out.function, i);
  if (title == "Function Stack") return tree(Tree::kCallees);
  if (title == "Function/Call Stack" || title == "Function / Call Stack" ||
      title == "Source Function/Function/Call Stack" ||
      title == "Source Function / Function / Call Stack") {
    return tree(Tree::kCallers);
  }
  if (title == "Source Function" || title == "Source Function Stack") {
    if (title == "Source Function Stack") out.tree = Tree::kCallees;
    return set(out.function, i);
  }
  if (title == "Function (Full)") return set(out.full_function, i);
  if (title == "Module") return set(out.module, i);
  if (title == "Source File") return set(out.file, i);
  if (title == "Source Line") return set(out.line, i);
  if (title == "Thread") return set(out.thread, i);
  if (title == "Process") return set(out.process, i);
  return title == "Module Path" || title == "Start Address" || title == "TID" || title == "PID" ||
         title == "Function Type" || title == "Package" || title == "Core" ||
         title == "H/W Context" || title == "Size" || title.empty();
}

// Columns that count something. Parts of a column (":Effective Time", ":Idle") are in their whole.
void read_weights(std::string_view title, std::size_t i, Columns& out) {
  std::string_view name = title;
  const bool is_total = take_suffix(name, kTotal);
  if (!is_total) take_suffix(name, kSelf);
  if (name == kCpuTime) {
    out.weights.push_back({i, "cpu_time", true, is_total});
  } else if (name.starts_with(kEventCount)) {
    const CpuEvent event = cpu_event(name.substr(kEventCount.size()));
    out.weights.push_back({i, event.name, false, is_total});
  } else if (name == "Loads" || name == "Stores") {
    out.weights.push_back({i, name == "Loads" ? "loads" : "stores", false, is_total});
  } else if (name == "LLC Miss Count") {
    out.weights.push_back({i, "llc_load_misses", false, is_total});
  } else if (name == "Instructions Retired") {
    out.weights.push_back({i, "instructions", false, is_total});
  } else if (name == "Clockticks") {
    out.weights.push_back({i, "cycles", false, is_total});
  } else if (!name.starts_with("CPU Time:") && !name.starts_with(kSampleCount)) {
    out.unused.emplace_back(title);
  }
}

// A tree gives both "Self" and "Total": what a node does itself is enough, and exact.
void keep_self(std::vector<Weights>& weights) {
  const auto has_self = [&](const Weights& total) {
    return std::any_of(weights.begin(), weights.end(),
                       [&](const Weights& w) { return !w.is_total && w.event == total.event; });
  };
  std::vector<Weights> kept;
  for (const Weights& w : weights) {
    const bool twice =
        std::any_of(kept.begin(), kept.end(), [&](const Weights& k) { return k.event == w.event; });
    if (!twice && !(w.is_total && has_self(w))) kept.push_back(w);
  }
  weights = std::move(kept);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void split_cells(std::string_view line, char delimiter, std::vector<std::string>& cells) {
  cells.clear();
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cell += c;
      ++i;
    } else if (c == '"' && (quoted || trimmed(cell).empty())) {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      cells.push_back(std::move(cell));
      cell.clear();
    } else {
      cell += c;
    }
  }
  cells.push_back(std::move(cell));
}

std::optional<Header> parse_table_header(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.find(kCpuTime) == std::string_view::npos &&
      line.find("Hardware Event Count") == std::string_view::npos &&
      line.find("Clockticks") == std::string_view::npos &&
      line.find("LLC Miss Count") == std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<std::string> cells;
  for (const char delimiter : kDelimiters) {
    split_cells(line, delimiter, cells);
    if (cells.size() < 2 || cells.size() > kMostColumns) continue;
    Header out;
    out.delimiter = delimiter;
    out.columns.count = cells.size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view title = trimmed(cells[i]);
      if (!read_name(title, i, out.columns)) read_weights(title, i, out.columns);
    }
    const Columns& c = out.columns;
    const bool named = c.function != Columns::kNone || c.line != Columns::kNone ||
                       c.thread != Columns::kNone || c.module != Columns::kNone ||
                       c.process != Columns::kNone;
    if (!named || c.weights.empty()) continue;
    keep_self(out.columns.weights);
    return out;
  }
  return std::nullopt;
}

std::optional<std::int64_t> seconds_cell(std::string_view text) {
  text = trimmed(text);
  if (text.ends_with('s')) text = trimmed(text.substr(0, text.size() - 1));
  // The last of '.' and ',' parts the decimals; a comma before a point groups thousands.
  const std::size_t mark = text.find_last_of(".,");
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == mark) {
      plain += '.';
    } else if (text[i] != '.' && text[i] != ',') {
      plain += text[i];
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (plain.empty() || error != std::errc() || end != plain.data() + plain.size()) return {};
  const double ns = value * 1e9;
  if (!std::isfinite(ns) || ns < 0 || ns > static_cast<double>(model::kTimeLimit)) return {};
  return static_cast<std::int64_t>(std::llround(ns));
}

std::optional<std::int64_t> count_cell(std::string_view text) {
  text = trimmed(text);
  std::string digits;
  std::size_t since_mark = 0;
  bool grouped = false;
  for (const char c : text) {
    if (is_digit(c)) {
      digits += c;
      ++since_mark;
      continue;
    }
    const bool mark = c == ',' || c == '.' || c == ' ' || c == '\'';
    if (!mark || digits.empty() || (grouped && since_mark != 3) || since_mark > 3) return {};
    grouped = true;
    since_mark = 0;
  }
  if (digits.empty() || (grouped && since_mark != 3)) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

}  // namespace rooflab::importers::vtune
