// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/database.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace rooflab::importers::nsys {
namespace {

// A row takes at least four bytes of its page: two for its place and two for itself.
constexpr std::int64_t kLeastRowBytes = 4;
// Names and JSON texts beyond this are damage.
constexpr std::int64_t kLongestValue = std::int64_t{64} << 20U;
// SQLite's virtual machine takes some dozens of steps a row; asked about its budget this often.
constexpr int kStepsAtOnce = 1'000'000;
constexpr std::int64_t kStepsPerByte = 64;
constexpr std::int64_t kStepsAtLeast = 100'000'000;

constexpr const char* kExportHint =
    "export the report again: nsys export --type sqlite --output NAME.sqlite NAME.nsys-rep";

int allow_reading_only(void*, int action, const char* first, const char*, const char*,
                       const char*) {
  if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
  if (action == SQLITE_PRAGMA && first != nullptr && std::strcmp(first, "table_info") == 0) {
    return SQLITE_OK;
  }
  return SQLITE_DENY;
}

void restrict(sqlite3* db, std::int64_t bytes) {
  const auto longest = std::clamp<std::int64_t>(bytes, 1'000'000, kLongestValue);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(longest));
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1'000'000);
  // Views are parsed with the schema, though never run: exports that other programs extended have
  // large ones, so the limits of expressions stay as they are.
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_set_authorizer(db, &allow_reading_only, nullptr);
}

// SQLite takes the path as a URI: what has a meaning there is escaped.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  if (path.rfind("//", 0) == 0) uri += "//";  // else what follows would be read as a host
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::strchr("/._-+,=@", c) != nullptr;
    if (plain && c != '\0') {
      uri += c;
    } else {
      constexpr const char* kHex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return uri + "?mode=ro&immutable=1";
}

Error not_readable(sqlite3* db, const std::string& path) {
  const std::string why = db == nullptr ? "out of memory" : sqlite3_errmsg(db);
  return {ErrorCode::kUnreadable, "the database cannot be read: " + why, path, kExportHint};
}

std::string quote_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::unique_ptr<sqlite3_stmt, FinishStatement> prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  return std::unique_ptr<sqlite3_stmt, FinishStatement>(statement);
}

}  // namespace

Result<Database> Database::open_file(const std::string& path) {
  if (path == "-") {
    return fail(ErrorCode::kUnreadable, "a SQLite database cannot be read from stdin", path,
                "name the file");
  }
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return fail(ErrorCode::kUnreadable, "the file cannot be opened: " + error.message(), path,
                "SQLite databases are read in place; check the name and its permissions");
  }
  std::ifstream file(path, std::ios::binary);
  std::string magic(kSqliteMagic.size(), '\0');
  file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (magic != kSqliteMagic) {
    return fail(ErrorCode::kUnreadable, "the database is compressed, and SQLite needs it plain",
                path, "decompress it first: gunzip or zstd -d");
  }
  sqlite3* db = nullptr;
  const int flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int code = sqlite3_open_v2(uri_of(path).c_str(), &db, flags, nullptr);
  std::unique_ptr<sqlite3, CloseDatabase> owner(db);
  if (code != SQLITE_OK) return tl::unexpected<Error>(not_readable(db, path));
  return opened(owner.release(), static_cast<std::int64_t>(size), path);
}

Result<Database> Database::open_bytes(std::string_view bytes, const std::string& path) {
  sqlite3* db = nullptr;
  sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<sqlite3, CloseDatabase> owner(db);
  std::vector<char> content(bytes.begin(), bytes.end());
  const auto size = static_cast<sqlite3_int64>(content.size());
  auto* data = reinterpret_cast<unsigned char*>(content.data());
  const int code = sqlite3_deserialize(db, "main", data, size, size, SQLITE_DESERIALIZE_READONLY);
  if (code != SQLITE_OK) return tl::unexpected<Error>(not_readable(db, path));
  Result<Database> out = opened(owner.release(), size, path);
  if (out) out->content_ = std::move(content);
  return out;
}

Result<Database> Database::opened(sqlite3* db, std::int64_t bytes, const std::string& path) {
  Database out;
  out.db_.reset(db);
  out.bytes_ = bytes;
  out.budget_ = std::make_unique<Budget>();
  out.budget_->steps_left =
      kStepsAtLeast + (bytes < (std::int64_t{1} << 50U) ? bytes * kStepsPerByte : bytes);
  restrict(db, bytes);
  sqlite3_progress_handler(
      db, kStepsAtOnce,
      [](void* budget) {
        auto* left = static_cast<Budget*>(budget);
        left->steps_left -= kStepsAtOnce;
        return left->steps_left < 0 ? 1 : 0;
      },
      out.budget_.get());
  RL_CHECK_OK(out.read_schema(path));
  return out;
}

Result<void> Database::read_schema(const std::string& path) {
  // Views and virtual tables have no page of their own.
  const auto names =
      prepare(handle(), "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
  if (names == nullptr) return tl::unexpected<Error>(not_readable(handle(), path));
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(names.get())) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(names.get(), 0));
    if (text != nullptr) tables_[text];
  }
  if (code != SQLITE_DONE) return tl::unexpected<Error>(not_readable(handle(), path));
  for (auto& [table, columns] : tables_) {
    const auto info = prepare(handle(), "PRAGMA table_info(" + quote_name(table) + ")");
    while (info != nullptr && sqlite3_step(info.get()) == SQLITE_ROW) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(info.get(), 1));
      if (text != nullptr) columns.emplace_back(text);
    }
  }
  return {};
}

bool Database::has_column(std::string_view table, std::string_view column) const {
  const auto found = tables_.find(table);
  return found != tables_.end() &&
         std::find(found->second.begin(), found->second.end(), column) != found->second.end();
}

std::vector<std::string> Database::table_names() const {
  std::vector<std::string> names;
  for (const auto& [name, columns] : tables_) names.push_back(name);
  return names;
}

bool Database::holds_rows(const std::string& table) {
  const auto found = tables_.find(table);
  if (found == tables_.end() || found->second.empty()) return false;
  const auto any = prepare(handle(), "SELECT " + quote_name(found->second.front()) + " FROM " +
                                         quote_name(table) + " LIMIT 1");
  return any != nullptr && sqlite3_step(any.get()) == SQLITE_ROW;
}

Query::Query(const Database& database, std::string_view table,
             std::initializer_list<const char*> columns, Tally& tally)
    : tally_(&tally),
      rows_limit_(database.bytes() / kLeastRowBytes + 1),
      text_left_(database.bytes()) {
  std::string sql = "SELECT ";
  for (const char* column : columns) {
    present_.push_back(database.has_column(table, column));
    if (present_.size() > 1) sql += ",";
    sql += present_.back() ? quote_name(column) : "NULL";
  }
  if (!database.has_table(table)) return;
  statement_ = prepare(database.handle(), sql + " FROM " + quote_name(table));
  damaged_ = statement_ == nullptr;
}

bool Query::next() {
  if (statement_ == nullptr || damaged_) return false;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_DONE) {
    statement_.reset();
    return false;
  }
  damaged_ = code != SQLITE_ROW || ++rows_ > rows_limit_ || text_left_ < 0;
  return !damaged_;
}

std::optional<std::int64_t> Query::integer(std::size_t column) {
  sqlite3_stmt* s = statement_.get();
  const int c = static_cast<int>(column);
  switch (sqlite3_column_type(s, c)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(s, c);
    case SQLITE_NULL:
      return {};
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(s, c);
      if (value == std::floor(value) && std::abs(value) < 9e18) {
        return static_cast<std::int64_t>(value);
      }
      break;
    }
    case SQLITE_TEXT: {
      const std::string_view digits = text(column);
      std::int64_t value = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error == std::errc() && end == digits.data() + digits.size()) return value;
      break;
    }
    default:
      break;
  }
  tally_->add(Note::kWrongType);
  return {};
}

std::string_view Query::text(std::size_t column) {
  sqlite3_stmt* s = statement_.get();
  const int c = static_cast<int>(column);
  const int type = sqlite3_column_type(s, c);
  if (type == SQLITE_NULL) return {};
  if (type != SQLITE_TEXT) {
    tally_->add(Note::kWrongType);
    return {};
  }
  const auto* begin = reinterpret_cast<const char*>(sqlite3_column_text(s, c));
  if (begin == nullptr) return {};
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(s, c));
  text_left_ -= static_cast<std::int64_t>(length);
  return {begin, length};
}

}  // namespace rooflab::importers::nsys
