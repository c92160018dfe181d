// SPDX-License-Identifier: Apache-2.0
// zstd -> bytes, frame after frame. A frame that stops early or turns bad ends the stream with what
// was decompressed. Refuses frames whose window is above 128 MiB (`zstd --long=28` and up): reading
// them would take that much memory.
#include <zstd.h>
#include <zstd_errors.h>

#include <vector>

#include "base/io/raw_source.h"

namespace rooflab {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr int kWindowLogMax =
    27;  // 128 MiB, what `zstd -d` accepts without --long (zstd.h ZSTD_WINDOWLOG_LIMIT_DEFAULT)

struct FreeStream {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> raw, std::string name)
      : raw_(std::move(raw)), name_(std::move(name)), buffer_(kReadBytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (!context_ && !ended_) RL_CHECK_OK(start());
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    while (!ended_ && output.pos < output.size) RL_CHECK_OK(decompress_some(output));
    return output.pos;
  }
  [[nodiscard]] bool truncated() const override { return truncated_; }
  [[nodiscard]] std::string_view damage() const override { return damage_; }
  [[nodiscard]] std::int64_t raw_bytes_read() const override { return raw_->raw_bytes_read(); }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return raw_->raw_bytes_total(); }

 private:
  Result<void> start() {
    context_.reset(ZSTD_createDCtx());
    if (!context_ ||
        ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax))) {
      return fail(ErrorCode::kUnavailable, "cannot start zstd decompression: out of memory", name_);
    }
    return {};
  }

  Result<void> decompress_some(ZSTD_outBuffer& output) {
    if (input_.pos == input_.size && !pending_output_) {
      RL_TRY(const std::size_t got, raw_->read(buffer_));
      input_ = {buffer_.data(), got, 0};
      if (got == 0) {
        end_of_input();
        return {};
      }
    }
    const std::size_t before = output.pos;
    const std::size_t input_before = input_.pos;
    const std::size_t status = ZSTD_decompressStream(context_.get(), &output, &input_);
    if (ZSTD_isError(status)) return bad_data(ZSTD_getErrorCode(status));
    frames_ += status == 0 ? 1 : 0;
    inside_frame_ = status != 0;
    frame_bytes_ = inside_frame_ ? frame_bytes_ + (input_.pos - input_before) : 0;
    // A full output buffer may hide bytes that the decoder still holds.
    pending_output_ = inside_frame_ && output.pos == output.size && output.pos > before;
    return {};
  }

  Result<void> bad_data(ZSTD_ErrorCode code) {
    switch (code) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return fail(ErrorCode::kUnreadable, "a zstd frame needs a window above 128 MiB", name_,
                    "decompress it first: zstd -d --long=31");
      case ZSTD_error_memory_allocation:
        return fail(ErrorCode::kUnavailable, "cannot decompress: out of memory", name_);
      case ZSTD_error_dictionary_wrong:
        return fail(ErrorCode::kUnreadable, "a zstd frame needs a dictionary", name_,
                    "decompress it first: zstd -d -D DICTIONARY");
      case ZSTD_error_prefix_unknown:  // only met where a frame could start
        if (frames_ > 0) {
          ignore_rest();
          return {};
        }
        break;
      case ZSTD_error_checksum_wrong:
        end_damaged("a zstd checksum does not match, so the text may be altered");
        return {};
      default:
        break;
    }
    end_damaged(frames_ > 0 ? "a later zstd frame turns bad" : "the zstd data turns bad");
    return {};
  }

  void end_of_input() {
    ended_ = true;
    if (!inside_frame_) return;
    if (frames_ > 0 && frame_bytes_ < kMagicBytes) {
      ignore_rest();
    } else {
      end_damaged("ends inside a zstd frame");
    }
  }

  void ignore_rest() {
    ended_ = true;
    damage_ = "bytes after the last zstd frame were ignored";
  }

  void end_damaged(const char* what) {
    ended_ = true;
    truncated_ = true;
    damage_ = what;
  }

  std::unique_ptr<ByteSource> raw_;
  std::string name_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_DCtx, FreeStream> context_;
  ZSTD_inBuffer input_ = {nullptr, 0, 0};
  std::string_view damage_;
  std::uint64_t frames_ = 0;
  std::size_t frame_bytes_ = 0;  // taken from the frame that is open
  bool ended_ = false, truncated_ = false, inside_frame_ = false, pending_output_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> inflate_zstd(std::unique_ptr<ByteSource> raw, std::string name) {
  return std::make_unique<ZstdSource>(std::move(raw), std::move(name));
}

}  // namespace rooflab
