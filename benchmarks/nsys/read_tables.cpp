// SPDX-License-Identifier: Apache-2.0
// The floor for reading an Nsight Systems export: one thread steps through the tables with plain
// SQL, touches the columns that rooflab needs and keeps nothing.
//
//   nsys_read_tables large.sqlite
#include <sqlite3.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

constexpr const char* kQueries[] = {
    "SELECT id, value FROM StringIds",
    "SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, "
    "registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, "
    "dynamicSharedMemory, graphNodeId FROM CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT start, end, globalTid, eventClass, correlationId, nameId "
    "FROM CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT start, end, eventType, globalTid, text, textId, domainId FROM NVTX_EVENTS",
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  sqlite3* db = nullptr;
  const std::string uri = "file:" + std::string(argv[1]) + "?mode=ro&immutable=1";
  if (sqlite3_open_v2(uri.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) !=
      SQLITE_OK) {
    std::fprintf(stderr, "%s: %s\n", argv[1], sqlite3_errmsg(db));
    return 3;
  }
  std::uint64_t rows = 0;
  std::uint64_t touched = 0;
  for (const char* query : kQueries) {
    sqlite3_stmt* s = nullptr;
    if (sqlite3_prepare_v2(db, query, -1, &s, nullptr) != SQLITE_OK) continue;
    const int columns = sqlite3_column_count(s);
    while (sqlite3_step(s) == SQLITE_ROW) {
      ++rows;
      for (int c = 0; c < columns; ++c) {
        if (sqlite3_column_type(s, c) == SQLITE_TEXT) {
          const unsigned char* text = sqlite3_column_text(s, c);
          touched += text[0] + static_cast<std::uint64_t>(sqlite3_column_bytes(s, c));
        } else {
          touched += static_cast<std::uint64_t>(sqlite3_column_int64(s, c));
        }
      }
    }
    sqlite3_finalize(s);
  }
  std::printf("%llu rows, %llu\n", static_cast<unsigned long long>(rows),
              static_cast<unsigned long long>(touched));
  sqlite3_close(db);
  return 0;
}
