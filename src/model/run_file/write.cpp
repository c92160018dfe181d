// SPDX-License-Identifier: Apache-2.0
// Profile -> run file: every table of for_each_table, the strings first.
#include <algorithm>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/io/atomic_file.h"
#include "model/columns.h"
#include "model/fields.h"
#include "model/run_file.h"
#include "model/run_file/chunk_codec.h"
#include "model/run_file/footer.h"
#include "model/run_file/stored.h"

namespace rooflab::model {
namespace {

using Sink = std::function<Result<void>(std::string_view)>;

// Writes tables one after another; after the first failure it does nothing more.
class Writer {
 public:
  explicit Writer(const Sink& sink) : sink_(sink) { append(run::encode_header()); }

  void strings(const char* name, const StringTable& table) {
    begin(name, table.size());
    const auto at = [&](std::size_t i) { return table.view(StringId(i)); };
    text_column("text", table.size(), at);
  }

  template <class Row>
  void rows(const char* name, const std::vector<Row>& rows) {
    begin(name, rows.size());
    for_each_field<Row>(
        [&](const char* field_name, auto field) { column_of(field_name, std::span(rows), field); });
  }

  template <class Row>
  void row(const char* name, const Row& row) {
    begin(name, 1);
    for_each_field<Row>([&](const char* field_name, auto field) {
      column_of(field_name, std::span(&row, 1), field);
    });
  }

  template <class Table>
  void columns(const char* name, const Table& table) {
    begin(name, table.size());
    for_each_column(table, [&](std::string_view column_name, const auto& column) {
      using T = typename std::remove_cvref_t<decltype(column)>::value_type;
      number_column(column_name, run::value_kind<T>(), column.size(),
                    [&](std::size_t i) { return run::to_stored(column[i]); });
    });
  }

  Result<void> finish() {
    append(run::encode_footer(footer_, offset_));
    return std::move(status_);
  }

 private:
  void begin(const char* name, std::size_t rows) { footer_.tables.push_back({name, rows, {}}); }

  template <class Row, class Field>
  void column_of(const char* name, std::span<const Row> rows, Field field) {
    using T = std::remove_cvref_t<decltype(std::invoke(field, rows[0]))>;
    if constexpr (std::is_same_v<T, std::string>) {
      text_column(name, rows.size(),
                  [&](std::size_t i) { return std::string_view(std::invoke(field, rows[i])); });
    } else {
      number_column(name, run::value_kind<T>(), rows.size(),
                    [&](std::size_t i) { return run::to_stored(std::invoke(field, rows[i])); });
    }
  }

  template <class At>
  void number_column(std::string_view name, run::ValueKind kind, std::size_t rows, At at) {
    run::ColumnInfo info{std::string(name), kind, {}};
    encoder_.start_column();
    for (std::size_t first = 0; first < rows && status_; first += run::kChunkRows) {
      values_.resize(std::min(run::kChunkRows, rows - first));
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = at(first + i);
      run::ChunkInfo chunk;
      add_chunk(info, chunk, encoder_.encode(values_, chunk));
    }
    footer_.tables.back().columns.push_back(std::move(info));
  }

  // A text column is two: the lengths, and the bytes of each chunk's rows in a row.
  template <class At>
  void text_column(std::string_view name, std::size_t rows, At at) {
    number_column(std::string(name) + ".length", run::ValueKind::kInteger, rows,
                  [&](std::size_t i) { return static_cast<std::int64_t>(at(i).size()); });
    run::ColumnInfo info{std::string(name), run::ValueKind::kText, {}};
    std::string text;
    for (std::size_t first = 0; first < rows && status_; first += run::kChunkRows) {
      text.clear();
      for (std::size_t i = first; i < std::min(rows, first + run::kChunkRows); ++i)
        text.append(at(i));
      run::ChunkInfo chunk;
      add_chunk(info, chunk, encoder_.encode_text(text, chunk));
    }
    footer_.tables.back().columns.push_back(std::move(info));
  }

  void add_chunk(run::ColumnInfo& column, run::ChunkInfo& chunk,
                 const Result<std::string_view>& bytes) {
    if (!bytes) {
      status_ = tl::unexpected<Error>(bytes.error());
      return;
    }
    chunk.offset = offset_;
    column.chunks.push_back(chunk);
    append(*bytes);
  }

  void append(std::string_view bytes) {
    if (!status_) return;
    status_ = sink_(bytes);
    offset_ += bytes.size();
  }

  const Sink& sink_;
  Result<void> status_;
  std::uint64_t offset_ = 0;
  run::Footer footer_;
  run::ChunkEncoder encoder_;
  std::vector<std::int64_t> values_;
};

Result<void> encode_into(const Profile& profile, const Sink& sink) {
  Writer writer(sink);
  writer.strings("strings", profile.strings);
  for_each_table(profile, writer);
  writer.rows("hygiene", profile.hygiene.notes());
  return writer.finish();
}

}  // namespace

Result<std::string> encode_run(const Profile& profile) {
  std::string out;
  const Sink sink = [&out](std::string_view bytes) -> Result<void> {
    out.append(bytes);
    return {};
  };
  RL_CHECK_OK(encode_into(profile, sink));
  return out;
}

Result<void> write_run(const Profile& profile, const std::string& path) {
  RL_TRY(AtomicFile file, AtomicFile::create(path));
  // Chunks of small tables are a few bytes: one write call for many of them.
  constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;
  std::string buffer;
  const Sink sink = [&](std::string_view bytes) -> Result<void> {
    buffer.append(bytes);
    if (buffer.size() < kBufferBytes) return {};
    RL_CHECK_OK(file.append(buffer));
    buffer.clear();
    return {};
  };
  RL_CHECK_OK(encode_into(profile, sink));
  RL_CHECK_OK(file.append(buffer));
  return file.commit();
}

}  // namespace rooflab::model
