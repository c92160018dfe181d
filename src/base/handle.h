// SPDX-License-Identifier: Apache-2.0
// A 32-bit typed row number: what tables hold instead of pointers. Handles of different tables do
// not mix.
#pragma once

#include <compare>
#include <cstdint>

namespace rooflab {

template <class Tag>
struct Handle {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t row = kNone;

  constexpr Handle() = default;
  constexpr explicit Handle(std::uint32_t r) : row(r) {}
  constexpr explicit Handle(std::size_t r) : row(static_cast<std::uint32_t>(r)) {}
  [[nodiscard]] constexpr bool valid() const { return row != kNone; }
  constexpr auto operator<=>(const Handle&) const = default;
};

}  // namespace rooflab
