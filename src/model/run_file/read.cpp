// SPDX-License-Identifier: Apache-2.0
// Run file -> Profile. Nothing is believed: sizes are checked against ReadLimits before memory is
// taken, values against their types, and the whole against the model's invariants.
#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

#include "model/columns.h"
#include "model/fields.h"
#include "model/run_file.h"
#include "model/run_file/chunk_codec.h"
#include "model/run_file/footer.h"
#include "model/run_file/stored.h"
#include "model/validate.h"

namespace rooflab::model {
namespace {

constexpr std::uint64_t kFloorBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kBytesPerFileByte = 1000;
// Larger than any real run file (10 GB of trace make about 0.5 GB); stops an endless stdin.
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{16} << 30U;
constexpr std::size_t kMaxNotes = 4096;  // adding a note looks through all others

class Reader {
 public:
  Reader(std::string_view file, run::Footer footer, std::uint64_t limit)
      : file_(file), footer_(std::move(footer)), left_(limit) {}

  void strings(const char* name, StringTable& strings) {
    if (!begin(name)) return;
    if (table_->rows == 0 && strings.size() == 1) return;  // only the empty string
    text_column("text", [&](std::size_t i, std::string_view text) {
      return strings.intern(text) == StringId(i);
    });
  }

  template <class Row>
  void rows(const char* name, std::vector<Row>& rows) {
    if (!begin(name) || !charge(table_->rows * sizeof(Row))) return;
    rows.resize(table_->rows);
    for_each_field<Row>([&](const char* field_name, auto field) {
      read_field(field_name, field, [&](std::size_t i) -> Row& { return rows[i]; });
    });
  }

  template <class Row>
  void row(const char* name, Row& row) {
    if (!begin(name)) return;
    if (table_->rows != 1) return stop("has more or less than its one row");
    for_each_field<Row>([&](const char* field_name, auto field) {
      read_field(field_name, field, [&](std::size_t) -> Row& { return row; });
    });
  }

  template <class Table>
  void columns(const char* name, Table& table) {
    if (!begin(name)) return;
    for_each_column(table, [&](std::string_view column_name, auto& column) {
      using T = typename std::remove_cvref_t<decltype(column)>::value_type;
      if (!status_ || !charge(table_->rows * sizeof(T))) return;
      column.resize(table_->rows);
      number_column(column_name, run::value_kind<T>(), [&](std::size_t i, std::int64_t stored) {
        return run::from_stored(stored, column[i]);
      });
    });
  }

  [[nodiscard]] Result<void> status() && { return std::move(status_); }

 private:
  // A table that an older minor version did not have stays empty.
  bool begin(const char* name) {
    if (!status_) return false;
    place_ = name;
    table_ = footer_.table(name);
    return table_ != nullptr;
  }

  void stop(const std::string& what) {
    if (!status_) return;
    status_ = fail(ErrorCode::kUnreadable, place_ + " " + what, {},
                   "the file is damaged: import the original again, or copy the run file again");
  }

  bool charge(std::uint64_t bytes) {
    if (bytes > left_) {
      stop("claims more memory than a file of this size can need");
      return false;
    }
    left_ -= bytes;
    return true;
  }

  template <class Field, class RowAt>
  void read_field(const char* name, Field field, RowAt row_at) {
    if (!status_) return;
    using T = std::remove_cvref_t<decltype(std::invoke(field, row_at(0)))>;
    if constexpr (std::is_same_v<T, std::string>) {
      text_column(name, [&](std::size_t i, std::string_view text) {
        std::invoke(field, row_at(i)) = text;
        return true;
      });
    } else {
      number_column(name, run::value_kind<T>(), [&](std::size_t i, std::int64_t stored) {
        return run::from_stored(stored, std::invoke(field, row_at(i)));
      });
    }
  }

  // Version 1.0 has all columns. One added later needs its default here where it is absent.
  const run::ColumnInfo* find_column(std::string_view name, run::ValueKind kind) {
    place_ = table_->name + "." + std::string(name);
    const run::ColumnInfo* column = table_->column(name);
    if (column == nullptr) {
      stop("is missing");
    } else if (column->kind != kind) {
      stop("has values of another kind");
      column = nullptr;
    }
    return column;
  }

  [[nodiscard]] std::size_t rows_of_chunk(std::size_t chunk) const {
    const std::size_t first = chunk * footer_.chunk_rows;
    return static_cast<std::size_t>(std::min(footer_.chunk_rows, table_->rows - first));
  }
  [[nodiscard]] std::string_view bytes_of(const run::ChunkInfo& chunk) const {
    return file_.substr(chunk.offset, chunk.size);
  }

  // Calls set(row, value) for every row; a false answer is an error.
  template <class Set>
  void number_column(std::string_view name, run::ValueKind kind, Set set) {
    const run::ColumnInfo* column = find_column(name, kind);
    if (column == nullptr) return;
    std::size_t row = 0;
    for (std::size_t c = 0; c < column->chunks.size() && status_; ++c) {
      values_.resize(rows_of_chunk(c));
      decode(column->chunks[c]);
      for (std::size_t i = 0; i < values_.size() && status_; ++i, ++row)
        if (!set(row, values_[i])) stop("holds a value that its type cannot");
    }
  }

  void decode(const run::ChunkInfo& chunk) {
    const Result<void> done = decoder_.decode(chunk, bytes_of(chunk), values_);
    if (!done) stop(done.error().message);
  }

  template <class Set>
  void text_column(std::string_view name, Set set) {
    if (!charge(table_->rows * sizeof(std::uint32_t))) return;
    std::vector<std::uint32_t> lengths(table_->rows);
    const auto set_length = [&](std::size_t i, std::int64_t stored) {
      return run::from_stored(stored, lengths[i]);
    };
    number_column(std::string(name) + ".length", run::ValueKind::kInteger, set_length);
    const run::ColumnInfo* column = status_ ? find_column(name, run::ValueKind::kText) : nullptr;
    if (column == nullptr) return;
    std::size_t row = 0;
    for (std::size_t c = 0; c < column->chunks.size() && status_; ++c) {
      const std::size_t count = rows_of_chunk(c);
      std::uint64_t size = 0;
      for (std::size_t i = 0; i < count; ++i) size += lengths[row + i];
      if (!charge(size)) return;
      const run::ChunkInfo& chunk = column->chunks[c];
      const Result<std::string_view> text = decoder_.decode_text(chunk, bytes_of(chunk), size);
      if (!text) return stop(text.error().message);
      std::size_t at = 0;
      for (std::size_t i = 0; i < count; ++i, ++row) {
        if (!set(row, text->substr(at, lengths[row]))) return stop("holds the same text twice");
        at += lengths[row];
      }
    }
  }

  std::string_view file_;
  run::Footer footer_;
  std::uint64_t left_;  // bytes of memory the model may still take
  const run::TableInfo* table_ = nullptr;
  std::string place_;
  Result<void> status_;
  run::ChunkDecoder decoder_;
  std::vector<std::int64_t> values_;
};

Result<void> add_notes(Hygiene& hygiene, const std::vector<HygieneNote>& notes) {
  if (notes.size() > kMaxNotes) return fail(ErrorCode::kUnreadable, "has too many hygiene notes");
  for (const HygieneNote& note : notes)
    hygiene.add(note.code, note.input, note.count, note.hint, note.forbids);
  return {};
}

Result<Profile> decode(std::string_view file, const ReadLimits& limits) {
  RL_TRY(run::Footer footer, run::decode_footer(file));
  const std::uint64_t limit =
      limits.model_bytes != 0 ? limits.model_bytes : kFloorBytes + kBytesPerFileByte * file.size();
  Profile profile;
  std::vector<HygieneNote> notes;
  Reader reader(file, std::move(footer), limit);
  reader.strings("strings", profile.strings);
  for_each_table(profile, reader);
  reader.rows("hygiene", notes);
  RL_CHECK_OK(std::move(reader).status());
  RL_CHECK_OK(add_notes(profile.hygiene, notes));
  RL_CHECK_OK(validate(profile));
  return profile;
}

Result<std::string> read_all(ByteSource& source) {
  std::string bytes;
  std::size_t have = 0;
  while (have <= kMaxFileBytes) {
    constexpr std::size_t kStep = std::size_t{128} << 10U;  // byte_source.h: small reads are faster
    if (bytes.size() - have < kStep) bytes.resize(std::max(bytes.size() * 2, have + kStep));
    RL_TRY(const std::size_t got, source.read({bytes.data() + have, kStep}));
    if (got == 0) {
      bytes.resize(have);
      return bytes;
    }
    have += got;
  }
  return fail(ErrorCode::kUnreadable, "is larger than any run file (16 GiB)");
}

}  // namespace

Result<Profile> decode_run(std::string_view bytes, const std::string& where,
                           const ReadLimits& limits) {
  Result<Profile> profile = decode(bytes, limits);
  if (!profile) profile.error().where = where;
  return profile;
}

Result<Profile> read_run(ByteSource& source, const std::string& where) {
  Result<std::string> bytes = read_all(source);
  if (!bytes) {
    if (bytes.error().where.empty()) bytes.error().where = where;
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  return decode_run(*bytes, where);
}

Result<Profile> read_run(const std::string& path) {
  RL_TRY(const std::unique_ptr<ByteSource> source, open_source(path));
  return read_run(*source, path);
}

}  // namespace rooflab::model
