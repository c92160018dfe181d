// SPDX-License-Identifier: Apache-2.0
// A text input line by line, in bounded memory: LF or CRLF ends a line, the last one may lack its
// end. A line longer than kLongestLine is cut there and counted; NUL bytes are kept.
//
//   LineReader lines(source);
//   while (lines.next()) use(lines.line());
//   RL_CHECK_OK(lines.status());
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/byte_source.h"

namespace rooflab::importers {

class LineReader {
 public:
  // Far beyond any symbol: the longest template names seen take 30 KB.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

  explicit LineReader(ByteSource& source) : source_(source), buffer_(kBlock) {}

  // False at the end, or where reading failed: status() tells.
  [[nodiscard]] bool next();
  // Without its end; valid until the next call.
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::int64_t number() const { return number_; }  // from 1
  [[nodiscard]] std::int64_t cut_lines() const { return cut_; }
  [[nodiscard]] const Result<void>& status() const { return status_; }

 private:
  static constexpr std::size_t kBlock = std::size_t{128} << 10U;

  [[nodiscard]] bool refill();
  void append(std::string_view part);

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::string spill_;  // a line that began in an earlier block
  std::string_view line_;
  std::int64_t number_ = 0, cut_ = 0;
  bool cutting_ = false;
  Result<void> status_;
};

}  // namespace rooflab::importers
