// SPDX-License-Identifier: Apache-2.0
// gzip -> bytes, member after member. Zero padding and other bytes after the last member are
// skipped (gzip itself does so); a member that stops early or turns bad ends the stream with what
// was decompressed, and a checksum that does not match is reported while reading goes on with the
// next member.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/io/raw_source.h"

namespace rooflab {
namespace {

constexpr int kGzipWindow = 15 + 16;         // 32 KiB window, gzip wrapper (zlib.h, inflateInit2)
constexpr std::size_t kGzipLengthBytes = 4;  // ISIZE, after the CRC (RFC 1952 2.3.1)

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> raw, std::string name)
      : raw_(std::move(raw)), name_(std::move(name)), input_(kReadBytes) {}
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    if (!ready_ && !ended_) RL_CHECK_OK(start());
    const std::size_t room = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(room);
    while (!ended_ && stream_.avail_out > 0) {
      RL_CHECK_OK(between_members_ ? next_member() : inflate_some());
    }
    return room - stream_.avail_out;
  }
  [[nodiscard]] bool truncated() const override { return truncated_; }
  [[nodiscard]] std::string_view damage() const override { return damage_; }
  [[nodiscard]] std::int64_t raw_bytes_read() const override { return raw_->raw_bytes_read(); }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return raw_->raw_bytes_total(); }

 private:
  Result<void> start() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
      return fail(ErrorCode::kUnavailable, "cannot start gzip decompression: out of memory", name_);
    }
    ready_ = true;
    return {};
  }

  // After it avail_in is 0 only at the end of the raw bytes.
  Result<void> refill() {
    if (stream_.avail_in > 0) return {};
    RL_TRY(const std::size_t got, raw_->read(input_));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return {};
  }

  Result<void> inflate_some() {
    RL_CHECK_OK(refill());
    const bool at_end = stream_.avail_in == 0;
    const uInt room = stream_.avail_out;
    const int status =
        inflate(&stream_, Z_NO_FLUSH);  // also without input: zlib may hold text back
    if (at_end && status == Z_BUF_ERROR && stream_.avail_out == room) {
      end_damaged("ends inside a gzip member");
      return {};
    }
    switch (status) {
      case Z_OK:
      case Z_BUF_ERROR:  // no progress without more input or room: the loop brings one of them
        return {};
      case Z_STREAM_END:
        between_members_ = true;
        return {};
      case Z_MEM_ERROR:
        return fail(ErrorCode::kUnavailable, "cannot decompress: out of memory", name_);
      default:
        return bad_data();
    }
  }

  // zlib names the two checks after the data; everything else is data that cannot be decoded.
  Result<void> bad_data() {
    const std::string_view reason = stream_.msg == nullptr ? "" : stream_.msg;
    if (reason == "incorrect data check" || reason == "incorrect length check") {
      truncated_ = true;
      damage_ = "a gzip checksum does not match, so the text may be altered";
      skip_ = reason == "incorrect data check" ? kGzipLengthBytes : 0;
      between_members_ = true;
      return {};
    }
    end_damaged(after_member_ ? "a later gzip member turns bad" : "the gzip data turns bad");
    return {};
  }

  // Skips padding and starts the next member, if there is one.
  Result<void> next_member() {
    after_member_ = true;
    bool garbage = false;
    while (true) {
      RL_CHECK_OK(refill());
      if (stream_.avail_in == 0) break;
      const Bytef byte = *stream_.next_in;
      if (skip_ > 0) {
        --skip_;
      } else if (magic_seen_ && byte == 0x8b) {
        return begin_member();
      } else {
        garbage = garbage || magic_seen_ || (byte != 0 && byte != 0x1f);
        magic_seen_ = byte == 0x1f;
      }
      if (garbage) break;
      ++stream_.next_in;
      --stream_.avail_in;
    }
    ended_ = true;
    if ((garbage || magic_seen_) && damage_.empty()) {
      damage_ = "bytes after the last gzip member were ignored";
    }
    return {};
  }

  // The first magic byte was consumed (it may have been the last of an earlier buffer): give it to
  // zlib again.
  Result<void> begin_member() {
    magic_seen_ = false;
    between_members_ = false;
    if (inflateReset(&stream_) != Z_OK) return fail(ErrorCode::kUnavailable, "zlib refused", name_);
    Bytef magic = 0x1f;
    Bytef* const rest = stream_.next_in;
    const uInt rest_bytes = stream_.avail_in;
    stream_.next_in = &magic;
    stream_.avail_in = 1;
    (void)inflate(&stream_, Z_NO_FLUSH);  // takes one header byte, can neither fail nor write
    stream_.next_in = rest;
    stream_.avail_in = rest_bytes;
    return {};
  }

  void end_damaged(const char* what) {
    ended_ = true;
    truncated_ = true;
    damage_ = what;
  }

  std::unique_ptr<ByteSource> raw_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_ = {};
  std::string_view damage_;
  std::size_t skip_ = 0;
  bool ready_ = false, ended_ = false, truncated_ = false;
  bool between_members_ = false, after_member_ = false, magic_seen_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> inflate_gzip(std::unique_ptr<ByteSource> raw, std::string name) {
  return std::make_unique<GzipSource>(std::move(raw), std::move(name));
}

}  // namespace rooflab
