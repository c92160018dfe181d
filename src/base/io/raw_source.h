// SPDX-License-Identifier: Apache-2.0
// Bytes as they stand in a file, on stdin or in memory, and the seam that puts a decompressor on
// top. Only byte_source.cpp and the tests need this; everything else opens sources with
// byte_source.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/io/byte_source.h"

namespace rooflab {

// How much of a file one system call asks for (byte_source.h says why so little).
constexpr std::size_t kReadBytes = std::size_t{128} << 10U;

[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_raw_file(const std::string& path);
[[nodiscard]] std::unique_ptr<ByteSource> raw_stdin();
[[nodiscard]] std::unique_ptr<ByteSource> raw_memory(std::string_view bytes);

// By the first bytes: gzip 1f 8b, zstd 28 b5 2f fd (also its skippable frames), else none.
[[nodiscard]] Compression compression_of(std::string_view head);

[[nodiscard]] std::unique_ptr<ByteSource> inflate_gzip(std::unique_ptr<ByteSource> raw,
                                                       std::string name);
[[nodiscard]] std::unique_ptr<ByteSource> inflate_zstd(std::unique_ptr<ByteSource> raw,
                                                       std::string name);

}  // namespace rooflab
