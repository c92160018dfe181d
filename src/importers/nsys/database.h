// SPDX-License-Identifier: Apache-2.0
// A SQLite file opened for reading only, held to what a database of its size can hold.
//
// The file may be hostile: nothing in it is run (no extension, view, function, trigger or virtual
// table is reached), nothing is written, and a damaged page tree that leads in circles ends at more
// rows or text than the file has bytes for. Columns are asked for by name; those that a table lacks
// read as missing.
//
//   Query rows(database, "CUPTI_ACTIVITY_KIND_KERNEL", {"start", "end"}, tally);
//   while (rows.next()) use(rows.integer(0));
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "importers/nsys/tally.h"

namespace rooflab::importers::nsys {

constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
};

class Database {
 public:
  // Refuses "-" and compressed files: SQLite needs the file itself.
  [[nodiscard]] static Result<Database> open_file(const std::string& path);
  // The bytes of a whole file; `path` is for messages.
  [[nodiscard]] static Result<Database> open_bytes(std::string_view bytes, const std::string& path);

  [[nodiscard]] bool has_table(std::string_view table) const { return tables_.count(table) != 0; }
  [[nodiscard]] bool has_column(std::string_view table, std::string_view column) const;
  // In name order.
  [[nodiscard]] std::vector<std::string> table_names() const;
  [[nodiscard]] bool holds_rows(const std::string& table);
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] sqlite3* handle() const { return db_.get(); }

 private:
  struct Budget {
    std::int64_t steps_left = 0;
  };
  [[nodiscard]] static Result<Database> opened(sqlite3* db, std::int64_t bytes,
                                               const std::string& path);
  [[nodiscard]] Result<void> read_schema(const std::string& path);

  std::vector<char> content_;  // open_bytes: what SQLite reads from
  std::unique_ptr<Budget> budget_;
  std::unique_ptr<sqlite3, CloseDatabase> db_;
  std::int64_t bytes_ = 0;
  std::map<std::string, std::vector<std::string>, std::less<>> tables_;
};

class Query {
 public:
  // The table's rows in file order. No rows if there is no such table.
  Query(const Database& database, std::string_view table,
        std::initializer_list<const char*> columns, Tally& tally);
  // False at the end and where the table turns unreadable (damaged()).
  [[nodiscard]] bool next();
  [[nodiscard]] bool damaged() const { return damaged_; }
  // Whether the table has the column.
  [[nodiscard]] bool has(std::size_t column) const { return present_[column]; }
  [[nodiscard]] std::int64_t rows_read() const { return rows_; }

  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t column);
  [[nodiscard]] std::int64_t integer_or(std::size_t column, std::int64_t otherwise) {
    return integer(column).value_or(otherwise);
  }
  // Valid until the next next(); no text is an empty view. Not checked to be UTF-8.
  [[nodiscard]] std::string_view text(std::size_t column);

 private:
  std::unique_ptr<sqlite3_stmt, FinishStatement> statement_;
  std::vector<bool> present_;
  Tally* tally_;
  std::int64_t rows_ = 0, rows_limit_ = 0, text_left_ = 0;
  bool damaged_ = false;
};

}  // namespace rooflab::importers::nsys
