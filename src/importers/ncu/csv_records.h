// SPDX-License-Identifier: Apache-2.0
// Records of comma-separated text, one at a time: quoted cells with "" for a quote, CRLF, line
// breaks inside quotes. A record that grows beyond 16 MiB, or a quote that is still open where the
// next line clearly starts a record ("12","…), ends there and counts as damaged.
//
//   while (true) { RL_TRY(const bool more, records.next(cells)); if (!more) break; ... }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/byte_source.h"

namespace rooflab::importers::ncu {

class CsvRecords {
 public:
  explicit CsvRecords(ByteSource& source) : source_(source) {}
  // False at the end. The cells live until the next call.
  [[nodiscard]] Result<bool> next(std::vector<std::string_view>& cells);
  // The line as it stands in the file, of the record read last.
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::int64_t damaged() const { return damaged_; }
  // The last record's quote was open at the end of the file: it was not given.
  [[nodiscard]] bool cut() const { return cut_; }

 private:
  [[nodiscard]] Result<bool> read_line();  // into line_, without its end; false at the end
  bool split(std::vector<std::string_view>& cells);

  ByteSource& source_;
  std::string buffer_;
  std::size_t at_ = 0;
  bool ended_ = false, cut_ = false;
  std::string line_, unquoted_;
  std::int64_t damaged_ = 0;
};

}  // namespace rooflab::importers::ncu
