set(ROOM_LIBS PkgConfig::RE2)
