// SPDX-License-Identifier: Apache-2.0
// Opens raw bytes, looks at their first four, and puts the decompressor on top that they ask for.
#include "base/io/byte_source.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/io/raw_source.h"

namespace rooflab {
namespace {

constexpr std::size_t kMagicBytes = 4;

// Gives `head` first, then the rest of `source`. An error met while reading ahead is told once the
// head was given.
class HeadSource final : public ByteSource {
 public:
  HeadSource(std::unique_ptr<ByteSource> source, std::string head, std::optional<Error> error)
      : source_(std::move(source)), head_(std::move(head)), error_(std::move(error)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (at_ < head_.size() && !buffer.empty()) {
      const std::size_t count = std::min(buffer.size(), head_.size() - at_);
      std::memcpy(buffer.data(), head_.data() + at_, count);
      at_ += count;
      return count;
    }
    if (error_) return tl::unexpected<Error>(*error_);
    return source_->read(buffer);
  }
  [[nodiscard]] bool truncated() const override { return source_->truncated(); }
  [[nodiscard]] std::string_view damage() const override { return source_->damage(); }
  [[nodiscard]] std::int64_t raw_bytes_read() const override { return source_->raw_bytes_read(); }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return source_->raw_bytes_total(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string head_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw, const std::string& name) {
  std::string head;
  std::unique_ptr<ByteSource> source = with_head(std::move(raw), kMagicBytes, head);
  switch (compression_of(head)) {
    case Compression::kGzip:
      return inflate_gzip(std::move(source), name);
    case Compression::kZstd:
      return inflate_zstd(std::move(source), name);
    case Compression::kNone:
      break;
  }
  return source;
}

}  // namespace

Compression compression_of(std::string_view head) {
  if (head.substr(0, 2) == "\x1f\x8b") return Compression::kGzip;
  if (head.substr(0, 4) == "\x28\xb5\x2f\xfd") return Compression::kZstd;
  // Skippable frames, 0x184d2a50 to 5f little endian, may come before the first data (RFC
  // 8878 3.1.2).
  const bool skippable = head.size() >= kMagicBytes && (head[0] & '\xf0') == '\x50' &&
                         head.substr(1, 3) == "\x2a\x4d\x18";
  return skippable ? Compression::kZstd : Compression::kNone;
}

std::unique_ptr<ByteSource> with_head(std::unique_ptr<ByteSource> source, std::size_t head_bytes,
                                      std::string& head) {
  std::optional<Error> error;
  head.resize(head_bytes);
  std::size_t have = 0;
  while (have < head_bytes) {
    Result<std::size_t> got = source->read({head.data() + have, head_bytes - have});
    if (!got) error = std::move(got.error());
    if (!got || *got == 0) break;
    have += *got;
  }
  head.resize(have);
  return std::make_unique<HeadSource>(std::move(source), head, std::move(error));
}

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  if (path == "-") return decompressed(raw_stdin(), path);
  RL_TRY(std::unique_ptr<ByteSource> raw, open_raw_file(path));
  return decompressed(std::move(raw), path);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  return decompressed(raw_memory(bytes), "memory");
}

}  // namespace rooflab
