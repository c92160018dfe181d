// SPDX-License-Identifier: Apache-2.0
// Decimal text to integers by integer arithmetic, never through double: a double holds a Unix time
// in microseconds only to a quarter of one.
//
//   parse_decimal("5193889866814.171", 3) -> 5193889866814171   (microseconds as nanoseconds)
//   parse_decimal("1.7e3", 0)             -> 1700
//
// Digits beyond the scale are rounded, half away from zero. What does not fit is held at
// +-kNumberLimit and reported; that limit leaves room to add two of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace rooflab::importers::kineto {

constexpr std::int64_t kNumberLimit = std::int64_t{1} << 62U;

struct Decimal {
  std::int64_t value = 0;
  const char* end = nullptr;  // after the number; nullptr = there is none here
  bool out_of_range = false;
};

// The number at `p` times 10^scale (scale 0 to 9). `p` must be readable up to a byte that is no
// part of a number.
[[nodiscard]] Decimal parse_decimal(const char* p, int scale);

// The whole of `text` as an integer, spaces around it allowed. False if it is anything else.
[[nodiscard]] bool parse_integer_text(std::string_view text, std::int64_t& out);

}  // namespace rooflab::importers::kineto
