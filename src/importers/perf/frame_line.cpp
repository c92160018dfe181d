// SPDX-License-Identifier: Apache-2.0
#include "importers/perf/frame_line.h"

#include <algorithm>
#include <cctype>

#include "base/demangle.h"

namespace rooflab::importers::perf {
namespace {

constexpr std::string_view kUnknown = "[unknown]";
constexpr std::string_view kInlined = "inlined";

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

// Where the bracket that closes at the end of `s` opens; a module's path may hold brackets too.
std::size_t open_of_last(std::string_view s) {
  int depth = 0;
  for (std::size_t i = s.size(); i > 0; --i) {
    if (s[i - 1] == ')') ++depth;
    if (s[i - 1] == '(' && --depth == 0) return i - 1;
  }
  return std::string_view::npos;
}

std::string_view without_offset(std::string_view symbol) {
  const std::size_t plus = symbol.rfind("+0x");
  if (plus == std::string_view::npos || plus + 3 == symbol.size()) return symbol;
  const std::string_view digits = symbol.substr(plus + 3);
  return std::all_of(digits.begin(), digits.end(), is_hex) ? symbol.substr(0, plus) : symbol;
}

std::string_view without_folders(std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  if (path == kUnknown) return {};
  if (path.starts_with('[')) return path;
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "path:12" or "path:12:5": the number after the first of the trailing numbers is a column.
std::string_view without_column(std::string_view place) {
  const auto number_from = [&](std::string_view s) {
    std::size_t from = s.size();
    while (from > 0 && is_digit(s[from - 1])) --from;
    return from > 0 && from < s.size() && s[from - 1] == ':' ? from - 1 : std::string_view::npos;
  };
  const std::size_t last = number_from(place);
  if (last == std::string_view::npos) return place;
  const std::string_view before = place.substr(0, last);
  return number_from(before) == std::string_view::npos ? place : before;
}

// What JIT compilers write into perf-PID.map: a tier mark, the function, and where it stands.
bool read_jit_name(std::string_view symbol, FrameLine& out) {
  if (symbol.starts_with("py::")) {
    symbol.remove_prefix(4);
    const std::size_t colon = symbol.find(':');
    out.function = symbol.substr(0, colon);
    if (colon != std::string_view::npos) out.location = symbol.substr(colon + 1);
    return true;
  }
  const std::size_t colon = symbol.find(':');
  const std::string_view kind = symbol.substr(0, colon);
  const bool script = kind == "JS" || kind == "LazyCompile" || kind == "Function" ||
                      kind == "Script" || kind == "Eval";
  if (colon == std::string_view::npos || !script) return false;
  symbol.remove_prefix(colon + 1);
  while (!symbol.empty() &&
         std::string_view("*~^+'").find(symbol.front()) != std::string_view::npos)
    symbol.remove_prefix(1);
  const std::size_t space = symbol.rfind(' ');
  out.function = space == std::string_view::npos ? symbol : symbol.substr(0, space);
  if (space != std::string_view::npos) out.location = without_column(symbol.substr(space + 1));
  if (out.function.empty()) out.function = "(anonymous)";
  return true;
}

}  // namespace

std::optional<FrameLine> parse_frame(std::string_view line) {
  std::string_view s = trimmed(line);
  std::size_t digits = 0;
  while (digits < s.size() && is_hex(s[digits])) ++digits;
  const bool has_address = digits > 0 && (digits == s.size() || s[digits] == ' ');
  if (has_address) s = trimmed(s.substr(digits));
  FrameLine out;
  const bool bracketed = s.ends_with(')');
  const std::size_t open = bracketed ? open_of_last(s) : std::string_view::npos;
  const bool has_module = open != std::string_view::npos && open > 0 && is_space(s[open - 1]);
  if (!has_address && !has_module) return std::nullopt;
  if (has_module) {
    const std::string_view inside = s.substr(open + 1, s.size() - open - 2);
    out.inlined = inside == kInlined;
    if (!out.inlined) out.module = without_folders(inside);
    s = trimmed(s.substr(0, open));
  }
  const std::string_view symbol = without_offset(s);
  out.known = !symbol.empty() && symbol != kUnknown;
  if (!out.known) {
    out.function = kUnknown;
  } else if (!read_jit_name(symbol, out)) {
    out.function = demangle(symbol);
  }
  return out;
}

std::optional<std::string_view> parse_source_line(std::string_view line) {
  const std::string_view s = trimmed(line);
  const std::size_t colon = s.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == s.size()) return std::nullopt;
  const std::string_view number = s.substr(colon + 1);
  const bool form = number == "?" || std::all_of(number.begin(), number.end(), is_digit);
  if (!form || s.find(')') != std::string_view::npos) return std::nullopt;
  if (s.starts_with("??") || number == "?" || number == "0") return std::string_view();
  return s;
}

}  // namespace rooflab::importers::perf
