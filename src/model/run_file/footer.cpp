// SPDX-License-Identifier: Apache-2.0
#include "model/run_file/footer.h"

#include <xxhash.h>

#include <algorithm>

#include "model/run_file.h"
#include "model/run_file/wire.h"

namespace rooflab::model::run {
namespace {

constexpr const char* kDamagedHint = "import the original file again, or copy the run file again";

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::kUnreadable, what, {}, kDamagedHint);
}

void put(WireWriter& out, const ChunkInfo& chunk) {
  out.varint(chunk.offset);
  out.varint(chunk.size);
  out.fixed(chunk.checksum, 8);
  out.fixed(static_cast<std::uint64_t>(chunk.encoding), 1);
  out.fixed(chunk.width, 1);
  out.varint(chunk.dictionary);
  out.zigzag(chunk.base);
  out.zigzag(chunk.min);
  out.zigzag(chunk.max);
}

ChunkInfo get_chunk(WireReader& in) {
  ChunkInfo chunk;
  chunk.offset = in.varint();
  chunk.size = in.varint();
  chunk.checksum = in.fixed(8);
  chunk.encoding = static_cast<Encoding>(in.fixed(1));
  chunk.width = static_cast<std::uint8_t>(in.fixed(1));
  chunk.dictionary = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(in.varint(), kMaxDictionary + 1));  // above the limit stays above it
  chunk.base = in.zigzag();
  chunk.min = in.zigzag();
  chunk.max = in.zigzag();
  return chunk;
}

Result<ColumnInfo> get_column(std::string_view record, std::uint64_t chunk_count,
                              std::uint64_t footer_offset) {
  WireReader in(record);
  ColumnInfo column;
  column.name = in.text();
  column.kind = static_cast<ValueKind>(in.fixed(1));
  if (in.varint() != chunk_count) return damaged("a column has more or fewer chunks than rows");
  for (std::uint64_t i = 0; i < chunk_count && in.ok(); ++i) {
    const ChunkInfo chunk = get_chunk(in);
    const bool inside = chunk.offset >= kHeaderBytes && chunk.offset <= footer_offset &&
                        chunk.size <= footer_offset - chunk.offset;
    if (!inside) return damaged("a chunk lies outside the file");
    column.chunks.push_back(chunk);
  }
  if (!in.ok()) return damaged("the footer ends inside a column");
  return column;
}

Result<TableInfo> get_table(std::string_view record, std::uint64_t chunk_rows,
                            std::uint64_t footer_offset) {
  WireReader in(record);
  TableInfo table;
  table.name = in.text();
  table.rows = in.varint();
  if (table.rows >= 0xffffffffU) return damaged("a table has more rows than a handle can name");
  const std::uint64_t chunk_count = (table.rows + chunk_rows - 1) / chunk_rows;
  const std::uint64_t columns = in.varint();
  for (std::uint64_t i = 0; i < columns && in.ok(); ++i) {
    const std::string_view column_record = in.text();
    if (!in.ok()) break;
    RL_TRY(ColumnInfo column, get_column(column_record, chunk_count, footer_offset));
    table.columns.push_back(std::move(column));
  }
  if (!in.ok()) return damaged("the footer ends inside a table");
  return table;
}

Result<void> check_version(std::uint64_t major, std::uint64_t minor) {
  if (major == kRunFileMajor) return {};
  return fail(ErrorCode::kUnreadable,
              "is a run file of version " + std::to_string(major) + "." + std::to_string(minor) +
                  "; this rooflab reads version " + std::to_string(kRunFileMajor),
              {},
              major > kRunFileMajor ? "use a newer rooflab"
                                    : "import the original file again with this rooflab");
}

// The footer's bytes, found through the trailer and checked.
Result<std::string_view> locate_footer(std::string_view file, std::uint64_t& offset) {
  if (file.size() < kHeaderBytes + kTrailerBytes) return damaged("ends early: there is no footer");
  WireReader trailer(file.substr(file.size() - kTrailerBytes));
  offset = trailer.fixed(8);
  const std::uint64_t size = trailer.fixed(8);
  const std::uint64_t checksum = trailer.fixed(8);
  if (file.substr(file.size() - kRunFileMagic.size()) != kRunFileMagic)
    return damaged("ends early: there is no footer");
  const std::uint64_t end = file.size() - kTrailerBytes;
  if (offset < kHeaderBytes || offset > end || size != end - offset)
    return damaged("the footer is not where the file says");
  const std::string_view footer = file.substr(offset, size);
  if (XXH3_64bits(footer.data(), footer.size()) != checksum)
    return damaged("the footer's checksum does not match");
  return footer;
}

}  // namespace

const ColumnInfo* TableInfo::column(std::string_view column_name) const {
  const auto it = std::find_if(columns.begin(), columns.end(),
                               [&](const ColumnInfo& c) { return c.name == column_name; });
  return it == columns.end() ? nullptr : &*it;
}

const TableInfo* Footer::table(std::string_view table_name) const {
  const auto it = std::find_if(tables.begin(), tables.end(),
                               [&](const TableInfo& t) { return t.name == table_name; });
  return it == tables.end() ? nullptr : &*it;
}

std::string encode_header() {
  WireWriter rest;
  rest.fixed(kRunFileMajor, 2);
  rest.fixed(kRunFileMinor, 2);
  rest.fixed(0, 4);
  return std::string(kRunFileMagic) + rest.bytes();
}

std::string encode_footer(const Footer& footer, std::uint64_t offset) {
  WireWriter out;
  out.varint(kRunFileMajor);
  out.varint(kRunFileMinor);
  out.varint(footer.chunk_rows);
  out.varint(footer.tables.size());
  for (const TableInfo& table : footer.tables) {
    WireWriter table_out;
    table_out.text(table.name);
    table_out.varint(table.rows);
    table_out.varint(table.columns.size());
    for (const ColumnInfo& column : table.columns) {
      WireWriter column_out;
      column_out.text(column.name);
      column_out.fixed(static_cast<std::uint64_t>(column.kind), 1);
      column_out.varint(column.chunks.size());
      for (const ChunkInfo& chunk : column.chunks) put(column_out, chunk);
      table_out.text(column_out.bytes());
    }
    out.text(table_out.bytes());
  }
  WireWriter trailer;
  trailer.fixed(offset, 8);
  trailer.fixed(out.bytes().size(), 8);
  trailer.fixed(XXH3_64bits(out.bytes().data(), out.bytes().size()), 8);
  return out.bytes() + trailer.bytes() + std::string(kRunFileMagic);
}

Result<Footer> decode_footer(std::string_view file) {
  if (file.substr(0, kRunFileMagic.size()) != kRunFileMagic)
    return fail(ErrorCode::kUnreadable, "is not a run file");
  WireReader header(file.substr(kRunFileMagic.size()));
  const std::uint64_t major = header.fixed(2);
  const std::uint64_t minor = header.fixed(2);
  if (!header.ok()) return damaged("ends early: there is no footer");
  RL_CHECK_OK(check_version(major, minor));

  std::uint64_t offset = 0;
  RL_TRY(const std::string_view bytes, locate_footer(file, offset));
  WireReader in(bytes);
  const std::uint64_t footer_major = in.varint();
  RL_CHECK_OK(check_version(footer_major, in.varint()));
  Footer footer;
  footer.chunk_rows = in.varint();
  if (footer.chunk_rows == 0 || footer.chunk_rows > kMaxChunkRows)
    return damaged("the footer names an impossible chunk size");
  const std::uint64_t tables = in.varint();
  for (std::uint64_t i = 0; i < tables && in.ok(); ++i) {
    const std::string_view record = in.text();
    if (!in.ok()) break;
    RL_TRY(TableInfo table, get_table(record, footer.chunk_rows, offset));
    footer.tables.push_back(std::move(table));
  }
  if (!in.ok()) return damaged("the footer ends inside a table");
  return footer;
}

}  // namespace rooflab::model::run
