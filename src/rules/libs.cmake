# SPDX-License-Identifier: Apache-2.0
set(ROOM_LIBS nlohmann_json::nlohmann_json)
