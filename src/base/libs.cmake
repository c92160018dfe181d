set(ROOM_LIBS Threads::Threads fmt::fmt PkgConfig::XXHASH PkgConfig::ZSTD ZLIB::ZLIB)
