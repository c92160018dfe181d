// SPDX-License-Identifier: Apache-2.0
#include "importers/ncu/number.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace rooflab::importers::ncu {
namespace {

constexpr std::size_t kLongestNumber = 64;
// Odd cells of a damaged file do not make it a file of two languages.
constexpr std::int64_t kOddOf = 10;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `group` stands between groups of three digits, `point` before the fraction.
double read(std::string_view text, char group, char point) {
  std::string plain;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
    if (text[i] == '-') plain += '-';
    ++i;
  }
  std::size_t in_group = 0;
  bool grouped = false;
  const std::size_t first = i;
  for (; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      plain += text[i];
      ++in_group;
    } else if (text[i] == group && in_group > 0) {
      if (in_group > 3 || (grouped && in_group != 3)) return kNoNumber;
      grouped = true;
      in_group = 0;
    } else {
      break;
    }
  }
  if (i == first || (grouped && in_group != 3)) return kNoNumber;
  if (i < text.size() && text[i] == point) {
    plain += '.';
    for (++i; i < text.size() && is_digit(text[i]); ++i) plain += text[i];
    if (plain.back() == '.') return kNoNumber;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    plain += 'e';
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    plain += text.substr(i);
    i = text.size();
  }
  if (i != text.size()) return kNoNumber;
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return error == std::errc() && end == plain.data() + plain.size() ? value : kNoNumber;
}

}  // namespace

BothWays read_both(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  BothWays out;
  if (text.empty() || text.size() > kLongestNumber) return out;
  std::string joined(text);
  // Spaces and apostrophes group digits in some languages and mean nothing else.
  for (const std::string_view space : {"\xC2\xA0", "\xE2\x80\xAF", "'"}) {
    for (std::size_t at = joined.find(space); at != std::string::npos; at = joined.find(space, at))
      joined.erase(at, space.size());
  }
  out.dot = read(joined, ',', '.');
  out.comma = read(joined, '.', ',');
  const bool dot = out.dot == out.dot;
  const bool comma = out.comma == out.comma;
  if (dot != comma) out.vote = dot ? Separator::kDot : Separator::kComma;
  return out;
}

void Votes::add(const BothWays& number) {
  dot_ += number.vote == Separator::kDot ? 1 : 0;
  comma_ += number.vote == Separator::kComma ? 1 : 0;
}

Separator Votes::decide() const {
  if (comma_ == 0) return Separator::kDot;  // what the tool writes unless told otherwise
  if (std::min(dot_, comma_) * kOddOf > std::max(dot_, comma_)) return Separator::kUndecided;
  return dot_ >= comma_ ? Separator::kDot : Separator::kComma;
}

}  // namespace rooflab::importers::ncu
