set(ROOM_LIBS nlohmann_json::nlohmann_json PkgConfig::RE2)
