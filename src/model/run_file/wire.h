// SPDX-License-Identifier: Apache-2.0
// Little-endian integers, varints and length-prefixed text for the run file's footer. The reader is
// bounds-checked and sticky: after the first read past the end every value is 0 and ok() is false,
// so a caller checks once per record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rooflab::model::run {

class WireWriter {
 public:
  void fixed(std::uint64_t value, int bytes);
  void varint(std::uint64_t value);
  void zigzag(std::int64_t value);
  void text(std::string_view value);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}
  std::uint64_t fixed(int bytes);
  std::uint64_t varint();
  std::int64_t zigzag();
  std::string_view text();
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return left_.size(); }

 private:
  void stop();
  std::string_view left_;
  bool ok_ = true;
};

[[nodiscard]] constexpr std::uint64_t to_zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1U) ^ static_cast<std::uint64_t>(v >> 63U);
}
[[nodiscard]] constexpr std::int64_t from_zigzag(std::uint64_t v) {
  return static_cast<std::int64_t>((v >> 1U) ^ (~(v & 1U) + 1U));
}

}  // namespace rooflab::model::run
