// SPDX-License-Identifier: Apache-2.0
// Where an importer's bytes come from: a file, stdin, or either of them compressed; the reader sees
// plain bytes.
//
// Compression is found by content (gzip 1f8b, zstd 28b52ffd), members and frames may follow one
// another, and a compressed stream that stops early gives what could be decompressed and then
// reports truncated(), which is not an Error. Reads are small on purpose (128 KiB stay in cache;
// large reads cost page faults: measured twice as slow).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rooflab {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills up to buffer.size() bytes; 0 = end. Never throws, never blocks longer than the file does.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> buffer) = 0;
  // True once the stream ended inside a compressed member, or the compressed data turned bad there.
  [[nodiscard]] virtual bool truncated() const { return false; }
  // What is wrong with the compressed data, as one clause ("ends inside a gzip member", "a gzip
  // checksum does not match: the text may be altered"); empty = nothing. Also names bytes after the
  // last member, which do not make truncated().
  [[nodiscard]] virtual std::string_view damage() const { return {}; }
  // Raw bytes consumed so far and in all (-1 = unknown), for a progress bar.
  [[nodiscard]] virtual std::int64_t raw_bytes_read() const = 0;
  [[nodiscard]] virtual std::int64_t raw_bytes_total() const = 0;
};

enum class Compression { kNone, kGzip, kZstd };

// "-" is stdin. A missing file, a directory or no permission is an Error with a hint.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);
// Bytes in memory, decompressed like a file; for tests and fuzzing.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string_view bytes);
// Reads ahead up to `head_bytes` so that importers can sniff, and gives the same bytes again to
// read().
[[nodiscard]] std::unique_ptr<ByteSource> with_head(std::unique_ptr<ByteSource> source,
                                                    std::size_t head_bytes, std::string& head);

}  // namespace rooflab
