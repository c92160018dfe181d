// SPDX-License-Identifier: Apache-2.0
#include "model/run_file/chunk_codec.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <bit>

#include "model/run_file/wire.h"

namespace rooflab::model::run {
namespace {

// Level 3 is zstd's default; higher levels gained under 3 % here and took twice the time.
constexpr int kLevel = 3;
constexpr std::size_t kCompareEvery = 16;
constexpr std::uint32_t kFreeSlot = 0xffffffffU;
constexpr std::uint8_t kMaxWidth = 8;

std::uint8_t bytes_for(std::uint64_t largest) {
  return static_cast<std::uint8_t>((std::bit_width(largest) + 7) / 8);
}

std::uint64_t wrapped(std::int64_t v) { return static_cast<std::uint64_t>(v); }

void append_planes(std::span<const std::uint64_t> values, std::uint8_t width, std::string& out) {
  std::size_t at = out.size();
  out.resize(at + values.size() * width);
  for (unsigned plane = 0; plane < width; ++plane) {
    char* const to = out.data() + at;
    for (std::size_t i = 0; i < values.size(); ++i)
      to[i] = static_cast<char>((values[i] >> (8U * plane)) & 0xffU);
    at += values.size();
  }
}

void read_planes(std::string_view raw, std::uint8_t width, std::span<std::int64_t> out) {
  std::fill(out.begin(), out.end(), 0);
  for (unsigned plane = 0; plane < width; ++plane) {
    const auto* from = reinterpret_cast<const unsigned char*>(raw.data()) + plane * out.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint64_t byte = std::uint64_t{from[i]} << (8U * plane);
      out[i] = static_cast<std::int64_t>(wrapped(out[i]) | byte);
    }
  }
}

tl::unexpected<Error> damaged(const char* what) { return fail(ErrorCode::kUnreadable, what); }

// slots.size() is a power of two, at least twice the distinct values.
std::size_t slot_of(const std::vector<std::uint32_t>& slots,
                    const std::vector<std::int64_t>& distinct, std::int64_t value) {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = (wrapped(value) * 0x9e3779b97f4a7c15U >> 32U) & mask;  // Fibonacci hashing
  while (slots[slot] != kFreeSlot && distinct[slots[slot]] != value) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace

ChunkEncoder::ChunkEncoder() : context_(ZSTD_createCCtx()) {
  if (context_ != nullptr) ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kLevel);
}
ChunkEncoder::~ChunkEncoder() { ZSTD_freeCCtx(context_); }

Result<void> ChunkEncoder::compress(std::string_view raw, Trial& trial) {
  trial.bytes.resize(raw.empty() ? 0 : ZSTD_compressBound(raw.size()));
  if (!raw.empty()) {
    const std::size_t size = context_ == nullptr
                                 ? static_cast<std::size_t>(-1)
                                 : ZSTD_compress2(context_, trial.bytes.data(), trial.bytes.size(),
                                                  raw.data(), raw.size());
    if (ZSTD_isError(size)) return fail(ErrorCode::kOutput, "cannot compress: out of memory");
    trial.bytes.resize(size);
  }
  trial.info.size = trial.bytes.size();
  trial.info.checksum = XXH3_64bits(trial.bytes.data(), trial.bytes.size());
  return {};
}

// The distinct values in order of first use, with their slots; false if there are too many.
bool ChunkEncoder::find_distinct(std::span<const std::int64_t> values) {
  slots_.assign(std::bit_ceil(std::min(values.size(), kMaxDictionary) * 2), kFreeSlot);
  distinct_.clear();
  for (const std::int64_t value : values) {
    const std::size_t slot = slot_of(slots_, distinct_, value);
    if (slots_[slot] != kFreeSlot) continue;
    if (distinct_.size() == kMaxDictionary) return false;
    slots_[slot] = static_cast<std::uint32_t>(distinct_.size());
    distinct_.push_back(value);
  }
  return true;
}

// Fills raw_ and the encoding's part of `info`; false where the encoding does not apply.
bool ChunkEncoder::lay_out(std::span<const std::int64_t> values, Encoding encoding,
                           ChunkInfo& info) {
  scratch_.resize(values.size());
  raw_.clear();
  info.encoding = encoding;
  info.dictionary = 0;
  std::uint64_t all_bits = 0;
  switch (encoding) {
    case Encoding::kOffset:
      info.base = info.min;
      for (std::size_t i = 0; i < values.size(); ++i)
        scratch_[i] = wrapped(values[i]) - wrapped(info.base);
      all_bits = wrapped(info.max) - wrapped(info.min);
      break;
    case Encoding::kDelta:
      info.base = values.front();
      scratch_[0] = 0;
      for (std::size_t i = 1; i < values.size(); ++i) {
        const std::uint64_t delta = wrapped(values[i]) - wrapped(values[i - 1]);
        scratch_[i] = to_zigzag(static_cast<std::int64_t>(delta));
        all_bits |= scratch_[i];
      }
      break;
    case Encoding::kDictionary:
      if (!find_distinct(values)) return false;
      info.base = 0;
      info.dictionary = static_cast<std::uint32_t>(distinct_.size());
      for (std::size_t i = 0; i < distinct_.size(); ++i) scratch_[i] = wrapped(distinct_[i]);
      append_planes({scratch_.data(), distinct_.size()}, kMaxWidth, raw_);
      for (std::size_t i = 0; i < values.size(); ++i)
        scratch_[i] = slots_[slot_of(slots_, distinct_, values[i])];
      all_bits = distinct_.size() - 1;
      break;
    case Encoding::kText:
      return false;
  }
  info.width = bytes_for(all_bits);
  append_planes(scratch_, info.width, raw_);
  return true;
}

Result<std::string_view> ChunkEncoder::encode(std::span<const std::int64_t> values,
                                              ChunkInfo& info) {
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  info.min = *min;
  info.max = *max;
  best_.info = other_.info = info;
  const bool compare = chunks_++ % kCompareEvery == 0 && info.min != info.max;
  if (!compare) {
    const Encoding encoding = info.min == info.max ? Encoding::kOffset : chosen_;
    if (!lay_out(values, encoding, best_.info))
      (void)lay_out(values, Encoding::kOffset, best_.info);  // always applies
    RL_CHECK_OK(compress(raw_, best_));
  } else {
    best_.bytes.clear();
    for (const Encoding encoding : {Encoding::kOffset, Encoding::kDelta, Encoding::kDictionary}) {
      if (!lay_out(values, encoding, other_.info)) continue;
      RL_CHECK_OK(compress(raw_, other_));
      if (best_.bytes.empty() || other_.bytes.size() < best_.bytes.size()) std::swap(best_, other_);
    }
    chosen_ = best_.info.encoding;
  }
  info = best_.info;
  return std::string_view(best_.bytes);
}

Result<std::string_view> ChunkEncoder::encode_text(std::string_view text, ChunkInfo& info) {
  best_.info = info;
  best_.info.encoding = Encoding::kText;
  RL_CHECK_OK(compress(text, best_));
  info = best_.info;
  return std::string_view(best_.bytes);
}

ChunkDecoder::ChunkDecoder() : context_(ZSTD_createDCtx()) {}
ChunkDecoder::~ChunkDecoder() { ZSTD_freeDCtx(context_); }

// raw_ becomes exactly `size` bytes.
Result<void> ChunkDecoder::decompress(const ChunkInfo& info, std::string_view bytes,
                                      std::size_t size) {
  if (XXH3_64bits(bytes.data(), bytes.size()) != info.checksum)
    return damaged("the checksum does not match");
  raw_.resize(size);
  if (size == 0) {
    if (!bytes.empty()) return damaged("has bytes where none are needed");
    return {};
  }
  if (context_ == nullptr) return fail(ErrorCode::kUnavailable, "out of memory");
  const std::size_t got =
      ZSTD_decompressDCtx(context_, raw_.data(), size, bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size) return damaged("does not decompress to its row count");
  return {};
}

Result<void> ChunkDecoder::decode(const ChunkInfo& info, std::string_view bytes,
                                  std::span<std::int64_t> out) {
  if (info.width > kMaxWidth || info.encoding > Encoding::kDictionary || out.size() > kMaxChunkRows)
    return damaged("has an unknown encoding");
  const bool indexed = info.encoding == Encoding::kDictionary;
  if (indexed != (info.dictionary > 0) || info.dictionary > kMaxDictionary)
    return damaged("has an impossible dictionary");
  const std::size_t head = std::size_t{info.dictionary} * kMaxWidth;
  RL_CHECK_OK(decompress(info, bytes, head + out.size() * info.width));
  read_planes(std::string_view(raw_).substr(head), info.width, out);
  switch (info.encoding) {
    case Encoding::kOffset:
      for (std::int64_t& v : out) v = static_cast<std::int64_t>(wrapped(v) + wrapped(info.base));
      break;
    case Encoding::kDelta: {
      std::uint64_t value = wrapped(info.base);
      for (std::int64_t& v : out) {
        value += wrapped(from_zigzag(wrapped(v)));
        v = static_cast<std::int64_t>(value);
      }
      break;
    }
    case Encoding::kDictionary: {
      std::vector<std::int64_t> distinct(info.dictionary);
      read_planes(raw_, kMaxWidth, distinct);
      for (std::int64_t& v : out) {
        if (wrapped(v) >= distinct.size()) return damaged("points outside its dictionary");
        v = distinct[wrapped(v)];
      }
      break;
    }
    case Encoding::kText:
      break;
  }
  const bool inside = std::all_of(out.begin(), out.end(),
                                  [&](std::int64_t v) { return info.min <= v && v <= info.max; });
  if (!inside) return damaged("holds values outside its recorded range");
  return {};
}

Result<std::string_view> ChunkDecoder::decode_text(const ChunkInfo& info, std::string_view bytes,
                                                   std::size_t size) {
  if (info.encoding != Encoding::kText) return damaged("has an unknown encoding");
  RL_CHECK_OK(decompress(info, bytes, size));
  return std::string_view(raw_);
}

}  // namespace rooflab::model::run
