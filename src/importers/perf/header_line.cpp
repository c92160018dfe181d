// SPDX-License-Identifier: Apache-2.0
#include "importers/perf/header_line.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "model/profile.h"

namespace rooflab::importers::perf {
namespace {

constexpr std::string_view kRecord = "PERF_RECORD_";
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), is_digit);
}

std::optional<std::int64_t> integer(std::string_view s) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

std::string_view trimmed_right(std::string_view s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}
std::string_view trimmed_left(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  return s;
}

// Takes the last word off `s`.
std::string_view pop_word(std::string_view& s) {
  s = trimmed_right(s);
  std::size_t from = s.size();
  while (from > 0 && s[from - 1] != ' ' && s[from - 1] != '\t') --from;
  const std::string_view word = s.substr(from);
  s = trimmed_right(s.substr(0, from));
  return word;
}

// "[003]" -> 3.
std::optional<std::int64_t> core_of(std::string_view word) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return std::nullopt;
  const std::string_view inner = word.substr(1, word.size() - 2);
  return is_number(inner) ? integer(inner) : std::nullopt;
}

// "7024" or "7024/7032"; perf prints -1 for threads that are gone.
bool ids_of(std::string_view word, HeaderLine& out) {
  const std::size_t slash = word.find('/');
  const auto whole = [](std::string_view s) {
    return s == "-1" || is_number(s) ? integer(s) : std::nullopt;
  };
  const auto last = whole(slash == std::string_view::npos ? word : word.substr(slash + 1));
  if (!last) return false;
  out.tid = *last;
  if (slash == std::string_view::npos) return true;
  const auto first = whole(word.substr(0, slash));
  if (!first) return false;
  out.pid = *first;
  return true;
}

// What stands before the time, read from its end.
bool read_left(std::string_view left, HeaderLine& out) {
  std::string_view word = pop_word(left);
  if (const auto core = core_of(word)) {
    out.cpu = *core;
    word = pop_word(left);
  }
  if (!ids_of(word, out)) return false;
  out.command = trimmed_left(left);
  return true;
}

// Period, event and the rest, or a record. The event is the word that ends with a colon.
bool read_right(std::string_view right, HeaderLine& out) {
  right = trimmed_left(right);
  if (right.starts_with(kRecord)) {
    out.record = trimmed_right(right);
    return true;
  }
  std::size_t space = right.find(' ');
  std::string_view word = right.substr(0, space);
  if (is_number(word) && space != std::string_view::npos) {
    out.period = integer(word);
    if (!out.period) return false;
    right = trimmed_left(right.substr(space));
    space = right.find(' ');
    word = right.substr(0, space);
  }
  if (word.size() < 2 || word.back() != ':') return false;
  out.event = word.substr(0, word.size() - 1);
  if (space != std::string_view::npos) out.rest = trimmed_right(trimmed_left(right.substr(space)));
  return true;
}

// The word of the form digits.digits that ends at `colon`, with micro- or nanoseconds: perf prints
// no other number of decimals.
std::string_view time_word(std::string_view line, std::size_t colon) {
  std::size_t from = colon;
  while (from > 0 && (is_digit(line[from - 1]) || line[from - 1] == '.')) --from;
  const std::string_view word = line.substr(from, colon - from);
  const std::size_t dot = word.find('.');
  const bool form = dot != std::string_view::npos && is_number(word.substr(0, dot)) &&
                    is_number(word.substr(dot + 1)) &&
                    (word.size() - dot == 7 || word.size() - dot == 10);
  const bool stands_alone = from > 0 && (line[from - 1] == ' ' || line[from - 1] == '\t');
  return form && stands_alone ? word : std::string_view();
}

// Without a time: the event is the last word that ends with a colon, before it a period.
std::optional<HeaderLine> parse_timeless(std::string_view line) {
  HeaderLine out;
  std::string_view left = trimmed_right(line);
  std::string_view word = pop_word(left);
  if (word.size() < 2 || word.back() != ':') return std::nullopt;
  out.event = word.substr(0, word.size() - 1);
  std::string_view before = left;
  if (const std::string_view period = pop_word(before); is_number(period)) {
    HeaderLine ids;
    std::string_view further = before;
    const std::string_view owner = pop_word(further);
    // "app 7024 12 faults:" has both, "app 7024 faults:" has the thread only.
    if (!further.empty() && (core_of(owner) || ids_of(owner, ids))) {
      out.period = integer(period);
      left = before;
    }
  }
  if (!read_left(left, out) || out.command.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::int64_t> seconds_to_ns(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string_view digits = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (!is_number(whole) || (!digits.empty() && !is_number(digits))) return std::nullopt;
  const auto seconds = integer(whole);
  if (!seconds || *seconds >= model::kTimeLimit / kNsPerSecond) return std::nullopt;
  digits = digits.substr(0, 9);
  std::int64_t fraction = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    fraction = fraction * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  return *seconds * kNsPerSecond + fraction;
}

std::optional<HeaderLine> parse_header(std::string_view line) {
  if (line.empty() || line.front() == '\t' || line.front() == '#') return std::nullopt;
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    const std::string_view word = time_word(line, colon);
    if (word.empty()) continue;
    HeaderLine out;
    const auto at = static_cast<std::size_t>(word.data() - line.data());
    if (!read_left(line.substr(0, at), out)) continue;
    out.time = seconds_to_ns(word);
    if (!out.time || !read_right(line.substr(colon + 1), out)) return std::nullopt;
    return out;
  }
  if (line.front() == ' ') return std::nullopt;
  return parse_timeless(line);
}

}  // namespace rooflab::importers::perf
