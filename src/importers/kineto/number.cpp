// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/number.h"

#include <array>

#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::array<std::uint64_t, 20> kPowers = [] {
  std::array<std::uint64_t, 20> powers{};
  std::uint64_t power = 1;
  for (auto& p : powers) {
    p = power;
    power *= 10;
  }
  return powers;
}();

constexpr int kSafeDigits = 19;  // any 19 digits fit into 64 bits without a sign

std::int64_t limited(std::uint64_t magnitude, bool negative, bool& out_of_range) {
  constexpr auto kLimit = static_cast<std::uint64_t>(kNumberLimit);
  if (magnitude > kLimit) {
    magnitude = kLimit;
    out_of_range = true;
  }
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

// The general case: an exponent, or more digits than the quick path takes. Collects the significant
// digits and where the decimal point stands among them.
Decimal parse_general(const char* p, int scale) {
  Decimal result;
  const bool negative = *p == '-';
  if (negative) ++p;
  std::uint64_t mantissa = 0;
  int digits = 0;          // taken into the mantissa
  std::int64_t point = 0;  // value = mantissa * 10^point
  bool any = false;
  bool fraction = false;
  for (;; ++p) {
    if (*p == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(*p)) break;
    any = true;
    if (digits < kSafeDigits) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
      if (mantissa != 0) ++digits;
      point -= fraction ? 1 : 0;
    } else {
      point += fraction ? 0 : 1;
    }
  }
  if (!any) return result;
  if (*p == 'e' || *p == 'E') {
    const char* q = p + 1;
    const bool minus = *q == '-';
    if (*q == '-' || *q == '+') ++q;
    if (is_digit(*q)) {
      std::int64_t exponent = 0;
      for (; is_digit(*q); ++q) {
        if (exponent < 100000) exponent = exponent * 10 + (*q - '0');
      }
      point += minus ? -exponent : exponent;
      p = q;
    }
  }
  result.end = p;
  point += scale;
  while (point > 0 && mantissa != 0) {
    if (mantissa > static_cast<std::uint64_t>(kNumberLimit) / 10) {
      mantissa = static_cast<std::uint64_t>(kNumberLimit) + 1;
      break;
    }
    mantissa *= 10;
    --point;
  }
  if (point < 0) {
    const std::int64_t drop = -point;
    mantissa = drop > kSafeDigits ? 0
                                  : (mantissa + kPowers[static_cast<std::size_t>(drop)] / 2) /
                                        kPowers[static_cast<std::size_t>(drop)];
  }
  result.value = limited(mantissa, negative, result.out_of_range);
  return result;
}

}  // namespace

Decimal parse_decimal(const char* p, int scale) {
  const char* const start = p;
  const bool negative = *p == '-';
  if (negative) ++p;
  const char* const first = p;
  std::uint64_t value = 0;
  for (; is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  const auto whole = p - first;
  int left = scale;
  bool round_up = false;
  const char* fraction_end = p;
  if (*p == '.') {
    ++p;
    for (; left > 0 && is_digit(*p); ++p, --left)
      value = value * 10 + static_cast<std::uint64_t>(*p - '0');
    round_up = left == 0 && *p >= '5' && *p <= '9';
    while (is_digit(*p)) ++p;
    fraction_end = p;
  }
  if (whole == 0 || whole + scale > kSafeDigits || *p == 'e' || *p == 'E') {
    return parse_general(start, scale);
  }
  value = value * kPowers[static_cast<std::size_t>(left)] + (round_up ? 1 : 0);
  Decimal result;
  result.end = fraction_end;
  result.value = limited(value, negative, result.out_of_range);
  return result;
}

bool parse_integer_text(std::string_view text, std::int64_t& out) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty()) return false;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c) || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, c - '0', &value)) {
      return false;
    }
  }
  out = negative ? -value : value;
  return true;
}

}  // namespace rooflab::importers::kineto
