// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/splitter.h"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rooflab::importers::kineto {
namespace {

struct Masks {
  std::uint64_t quote = 0, backslash = 0, open = 0, close = 0;
};

Masks classify(const char* data) {
  Masks masks;
#if defined(__SSE2__)
  const auto bits = [](__m128i v, unsigned shift) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(v))) << shift;
  };
  for (unsigned i = 0; i < 64; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
    // '[' and ']' differ from '{' and '}' in one bit.
    const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
    masks.quote |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), i);
    masks.backslash |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')), i);
    masks.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), i);
    masks.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')), i);
  }
#else
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    const char folded = static_cast<char>(data[i] | 0x20);
    if (data[i] == '"') masks.quote |= bit;
    if (data[i] == '\\') masks.backslash |= bit;
    if (folded == '{') masks.open |= bit;
    if (folded == '}') masks.close |= bit;
  }
#endif
  return masks;
}

// Bit i = exclusive-or of bits 0..i: set from each opening quote up to before the closing one.
std::uint64_t prefix_xor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

void Splitter::block(const char* data, std::size_t base, std::uint64_t valid, bool want_boundary) {
  Masks masks = classify(data);
  if (masks.backslash != 0 || escaped_) {
    std::uint64_t escaped = escaped_ ? 1 : 0;
    escaped_ = false;
    for (std::uint64_t left = masks.backslash; left != 0;) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      left &= left - 1;
      if ((escaped >> i & 1U) != 0) continue;
      if (i == 63) {
        escaped_ = true;
      } else {
        escaped |= std::uint64_t{1} << (i + 1);
      }
    }
    masks.quote &= ~escaped;
  }
  masks.quote &= valid;
  const std::uint64_t inside = prefix_xor(masks.quote) ^ in_string_;
  in_string_ = (inside >> 63U & 1U) != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t open = masks.open & ~inside & valid;
  const std::uint64_t close = masks.close & ~inside & valid;
  const int closes = std::popcount(close);
  if (!want_boundary && depth_ - closes >= 0) {
    depth_ += std::popcount(open) - closes;
    return;
  }
  for (std::uint64_t left = open | close; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if ((open >> i & 1U) != 0) {
      ++depth_;
      continue;
    }
    --depth_;
    if (depth_ == 0) {
      if (want_boundary) boundary_ = base + i + 1;
    } else if (depth_ < 0) {
      array_end_ = base + i;
      return;
    }
  }
}

void Splitter::scan(const char* data, std::size_t end, bool want_boundary, bool last) {
  while (at_ + kBlock <= end && array_end_ == kNone) {
    block(data + at_, at_, ~std::uint64_t{0}, want_boundary);
    at_ += kBlock;
  }
  if (last && at_ < end && array_end_ == kNone) {
    const std::uint64_t valid = (std::uint64_t{1} << (end - at_)) - 1;
    block(data + at_, at_, valid, want_boundary);
    at_ = end;
  }
}

}  // namespace rooflab::importers::kineto
