// SPDX-License-Identifier: Apache-2.0
// The innermost loops of JSON scanning: 16 bytes at a time with SSE2 (every x86-64 has it), byte by
// byte elsewhere.
//
// Every function reads up to kScanPadding bytes past `end`; the caller keeps them readable and
// zero, and a zero byte ends every scan, so that no loop needs a bound.
//
//   std::uint8_t flags = 0;
//   const char* close = scan_string(p, flags);   // p stands after the opening quote
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rooflab::importers::kineto {

constexpr std::size_t kScanPadding = 64;

constexpr std::uint8_t kTextEscaped = 1;   // holds a backslash
constexpr std::uint8_t kTextNonAscii = 2;  // holds a byte above 0x7f

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first byte that is no JSON white space.
inline const char* skip_space(const char* p) {
  if (static_cast<unsigned char>(*p) > ' ') return p;
  if (is_space(*p) && static_cast<unsigned char>(p[1]) > ' ') return p + 1;
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(' ');
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i carriage = _mm_set1_epi8('\r');
  const __m128i tab = _mm_set1_epi8('\t');
  for (;; p += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i is =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, space), _mm_cmpeq_epi8(v, tab)),
                     _mm_or_si128(_mm_cmpeq_epi8(v, newline), _mm_cmpeq_epi8(v, carriage)));
    const auto other = static_cast<std::uint32_t>(_mm_movemask_epi8(is)) ^ 0xffffU;
    if (other != 0) return p + std::countr_zero(other);
  }
#else
  while (is_space(*p)) ++p;
  return p;
#endif
}

// `p` stands after an opening quote. The closing quote, or nullptr where a control character (which
// JSON forbids in a string; the zero padding is one) comes first. Adds what the text holds to
// `flags`.
inline const char* scan_string(const char* p, std::uint8_t& flags) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1f);
  for (;;) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i is_stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
    const auto stop = static_cast<std::uint32_t>(_mm_movemask_epi8(is_stop));
    const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(v));
    if (stop == 0) {
      if (high != 0) flags |= kTextNonAscii;
      p += 16;
      continue;
    }
    const int at = std::countr_zero(stop);
    if ((high & ((1U << at) - 1U)) != 0) flags |= kTextNonAscii;
    p += at;
    if (*p == '"') return p;
    if (*p != '\\' || static_cast<unsigned char>(p[1]) < 0x20) return nullptr;
    flags |= kTextEscaped;
    if (static_cast<unsigned char>(p[1]) >= 0x80) flags |= kTextNonAscii;
    p += 2;
  }
#else
  for (;; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"') return p;
    if (c < 0x20) return nullptr;
    if (c >= 0x80) flags |= kTextNonAscii;
    if (c != '\\') continue;
    if (static_cast<unsigned char>(p[1]) < 0x20) return nullptr;
    flags |= kTextEscaped;
    if (static_cast<unsigned char>(p[1]) >= 0x80) flags |= kTextNonAscii;
    ++p;
  }
#endif
}

// Steps over any JSON value without recursion: nullptr where it is not well formed (a bare word, a
// bracket of the wrong kind, a control character in a string, deeper than kMaxDepth).
constexpr int kMaxDepth = 256;
const char* skip_value(const char* p);

}  // namespace rooflab::importers::kineto
