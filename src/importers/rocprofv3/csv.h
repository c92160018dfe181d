// SPDX-License-Identifier: Apache-2.0
// Rows of a CSV file from a ByteSource, one at a time: quotes, doubled quotes, line breaks inside
// quotes, CRLF, a byte-order mark, empty lines. A field of more than 1 MiB or a row of more than
// 4096 fields is an Error: no profiler writes one, a damaged quote does.
//
//   Csv csv(source);
//   RL_TRY(bool any, csv.next());     // csv.row() has the fields until the next call
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/byte_source.h"
#include "base/result.h"

namespace rooflab::importers::rocprofv3 {

class Csv {
 public:
  explicit Csv(ByteSource& source) : source_(source) {}
  // False at the end.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] const std::vector<std::string_view>& row() const { return row_; }
  // The row's number in the file, the header being 1.
  [[nodiscard]] std::int64_t number() const { return number_; }
  // The last row had no line break after it, or a quote in it never closed.
  [[nodiscard]] bool ended_inside() const { return open_ended_; }

 private:
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Result<bool> read_record();

  ByteSource& source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::string text_;                                       // the row's fields, unquoted
  std::vector<std::pair<std::size_t, std::size_t>> ends_;  // of each field in text_
  std::vector<std::string_view> row_;
  std::int64_t number_ = 0;
  bool open_ended_ = false;
};

}  // namespace rooflab::importers::rocprofv3
