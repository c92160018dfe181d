# SPDX-License-Identifier: Apache-2.0
set(ROOM_LIBS Threads::Threads fmt::fmt PkgConfig::XXHASH PkgConfig::ZSTD ZLIB::ZLIB)
