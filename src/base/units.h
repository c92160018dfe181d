// SPDX-License-Identifier: Apache-2.0
// Units are types: no bare integer crosses a function boundary as a time or a size.
//
//   Nanos step = end - start;  Bytes moved{4096};  Ratio busy = ratio_of(busy_ns, window_ns);
//
// Nanos is a signed count of nanoseconds on the profile's one clock (a point in time or a span of
// it). Additions of values read from files use saturating_add, so that a hostile timestamp cannot
// overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace rooflab {

template <class Tag>
struct Quantity {
  std::int64_t value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t v) : value(v) {}
  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity o) const { return Quantity(value + o.value); }
  constexpr Quantity operator-(Quantity o) const { return Quantity(value - o.value); }
  constexpr Quantity& operator+=(Quantity o) {
    value += o.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    value -= o.value;
    return *this;
  }
};

using Nanos = Quantity<struct NanosTag>;
using Bytes = Quantity<struct BytesTag>;

constexpr Nanos kNanosMax{std::numeric_limits<std::int64_t>::max()};
constexpr Nanos kNanosMin{std::numeric_limits<std::int64_t>::min()};

// a + b, held at the limits of int64 instead of overflowing.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

// Floating quantities where fractions are meaningful.
struct Flops {
  double value = 0;  // floating-point operations (a multiply-add counts two)
};
struct Ratio {
  double value = 0;  // a share of one, not a percentage
  constexpr auto operator<=>(const Ratio&) const = default;
};

template <class Tag>
constexpr Ratio ratio_of(Quantity<Tag> part, Quantity<Tag> whole) {
  return Ratio{
      whole.value == 0 ? 0.0 : static_cast<double>(part.value) / static_cast<double>(whole.value)};
}

}  // namespace rooflab
