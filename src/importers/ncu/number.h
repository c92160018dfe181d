// SPDX-License-Identifier: Apache-2.0
// Numbers of a localised export: "1,234.5" and "1.234,5" are one number in two languages, and
// "1.234" alone is either. Each cell is read both ways, and the whole file decides: cells that can
// be read in one way only are its votes.
//
//   read_both("27.595.520") -> {dot: none, comma: 27595520, vote: comma}
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace rooflab::importers::ncu {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

enum class Separator : std::uint8_t { kUndecided, kDot, kComma };  // before the fraction

struct BothWays {
  double dot = kNoNumber, comma = kNoNumber;  // NaN: it cannot be read so
  Separator vote = Separator::kUndecided;     // the only way in which it can be read
  [[nodiscard]] bool is_number() const { return dot == dot || comma == comma; }
  [[nodiscard]] bool differs() const { return !(dot == comma); }
};
[[nodiscard]] BothWays read_both(std::string_view text);

class Votes {
 public:
  void add(const BothWays& number);
  // kUndecided: both languages are there in numbers, so cells that differ must not be used.
  [[nodiscard]] Separator decide() const;

 private:
  std::int64_t dot_ = 0, comma_ = 0;
};

}  // namespace rooflab::importers::ncu
