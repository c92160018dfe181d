# SPDX-License-Identifier: Apache-2.0
find_package(SQLite3 REQUIRED)
set(ROOM_LIBS simdjson::simdjson SQLite::SQLite3)
