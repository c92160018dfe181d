// SPDX-License-Identifier: Apache-2.0
// Protocol buffer messages by hand, for inputs that no tool here writes.
//
//   Message().text(2, "/host:CPU").message(3, Message().number(1, 7))
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rooflab::testing {

class Message {
 public:
  Message& number(std::uint32_t field, std::int64_t value) {
    varint(std::uint64_t{field} << 3U);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view bytes) {
    varint((std::uint64_t{field} << 3U) | 2U);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& message(std::uint32_t field, const Message& inner) { return text(field, inner.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(value | 0x80U));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

}  // namespace rooflab::testing
