// SPDX-License-Identifier: Apache-2.0
// The run file's frame: header, chunks, footer (which table has which columns in which chunks) and
// a trailer of fixed size that finds the footer.
//
//   magic[8] major:u16 minor:u16 zero:u32 | chunks ... | footer | offset:u64 size:u64 xxh3:u64
//   magic[8]
// Records in the footer carry their length, so that a later minor version may append fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/run_file/chunk_codec.h"
#include "model/run_file/stored.h"

namespace rooflab::model::run {

struct ColumnInfo {
  std::string name;
  ValueKind kind = ValueKind::kInteger;
  std::vector<ChunkInfo> chunks;
};

struct TableInfo {
  std::string name;
  std::uint64_t rows = 0;
  std::vector<ColumnInfo> columns;
  [[nodiscard]] const ColumnInfo* column(std::string_view column_name) const;
};

struct Footer {
  std::uint64_t chunk_rows = kChunkRows;
  std::vector<TableInfo> tables;
  [[nodiscard]] const TableInfo* table(std::string_view table_name) const;
};

constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kTrailerBytes = 32;

[[nodiscard]] std::string encode_header();
// Footer and trailer; `offset` is where they start in the file.
[[nodiscard]] std::string encode_footer(const Footer& footer, std::uint64_t offset);
// Checks the frame and every count in it: chunks lie between header and footer and are as many as
// the rows need.
[[nodiscard]] Result<Footer> decode_footer(std::string_view file);

}  // namespace rooflab::model::run
