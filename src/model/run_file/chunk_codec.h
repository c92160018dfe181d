// SPDX-License-Identifier: Apache-2.0
// One chunk of one column: up to kMaxChunkRows int64 values <-> compressed bytes.
//
//   offset      v - min
//   delta       zigzag(v[i] - v[i-1]), base = v[0]: times and other growing columns
//   dictionary  index into the distinct values: few and wide values
// The result is cut to the fewest whole bytes that hold it and laid out in byte planes (all lowest
// bytes, then all second bytes ...), which zstd compresses far better than interleaved values. The
// decompressed size is therefore known from the row count before anything is decompressed; a chunk
// that says otherwise is refused. A column of one value takes no bytes at all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace rooflab::model::run {

constexpr std::size_t kChunkRows = std::size_t{1} << 16U;  // 512 KiB of values: stays in L2
constexpr std::size_t kMaxChunkRows = std::size_t{1} << 20U;
constexpr std::size_t kMaxDictionary = 4096;

enum class Encoding : std::uint8_t { kOffset = 0, kDelta = 1, kDictionary = 2, kText = 3 };

// What the footer says about a chunk.
struct ChunkInfo {
  std::uint64_t offset = 0, size = 0;  // compressed bytes in the file
  std::uint64_t checksum = 0;          // XXH3 of them
  Encoding encoding = Encoding::kOffset;
  std::uint8_t width = 0;        // bytes a value after encoding, 0..8
  std::uint32_t dictionary = 0;  // distinct values
  std::int64_t base = 0;         // offset: what is added to every value; delta: the first value
  std::int64_t min = 0, max = 0;
};

class ChunkEncoder {
 public:
  ChunkEncoder();
  ChunkEncoder(const ChunkEncoder&) = delete;
  ChunkEncoder& operator=(const ChunkEncoder&) = delete;
  ~ChunkEncoder();

  // Encodings are compared by their size on a column's first chunk and on every 16th after it;
  // call at the start of each column.
  void start_column() { chunks_ = 0; }
  // The bytes stay valid until the next call. `values` is not empty.
  [[nodiscard]] Result<std::string_view> encode(std::span<const std::int64_t> values,
                                                ChunkInfo& info);
  [[nodiscard]] Result<std::string_view> encode_text(std::string_view text, ChunkInfo& info);

 private:
  struct Trial {
    ChunkInfo info;
    std::string bytes;
  };
  [[nodiscard]] bool lay_out(std::span<const std::int64_t> values, Encoding encoding,
                             ChunkInfo& info);
  [[nodiscard]] bool find_distinct(std::span<const std::int64_t> values);
  [[nodiscard]] Result<void> compress(std::string_view raw, Trial& trial);

  ZSTD_CCtx_s* context_;
  std::string raw_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::int64_t> distinct_;
  std::vector<std::uint32_t> slots_;
  Trial best_, other_;
  Encoding chosen_ = Encoding::kOffset;
  std::size_t chunks_ = 0;
};

class ChunkDecoder {
 public:
  ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;
  ~ChunkDecoder();

  // Exactly out.size() values, each within [info.min, info.max], or an Error.
  [[nodiscard]] Result<void> decode(const ChunkInfo& info, std::string_view bytes,
                                    std::span<std::int64_t> out);
  // Exactly `size` bytes; they stay valid until the next call.
  [[nodiscard]] Result<std::string_view> decode_text(const ChunkInfo& info, std::string_view bytes,
                                                     std::size_t size);

 private:
  [[nodiscard]] Result<void> decompress(const ChunkInfo& info, std::string_view bytes,
                                        std::size_t size);

  ZSTD_DCtx_s* context_;
  std::string raw_;
};

}  // namespace rooflab::model::run
