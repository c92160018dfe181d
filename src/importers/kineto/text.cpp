// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/text.h"

#include <algorithm>

#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence at `s`, or 0. Overlong forms, surrogates and code points above
// U+10FFFF are invalid (RFC 3629).
std::size_t utf8_length(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto continuation = [&](std::size_t i) { return i < s.size() && (at(i) & 0xc0U) == 0x80; };
  const unsigned char c = at(0);
  if (c < 0x80) return 1;
  if (c >= 0xc2 && c <= 0xdf) return continuation(1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    if (!continuation(1) || !continuation(2)) return 0;
    if ((c == 0xe0 && at(1) < 0xa0) || (c == 0xed && at(1) >= 0xa0)) return 0;
    return 3;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    if (!continuation(1) || !continuation(2) || !continuation(3)) return 0;
    if ((c == 0xf0 && at(1) < 0x90) || (c == 0xf4 && at(1) >= 0x90)) return 0;
    return 4;
  }
  return 0;
}

void append_code_point(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0U | (code >> 6U));
    put(0x80U | (code & 0x3fU));
  } else if (code < 0x10000) {
    put(0xe0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3fU));
    put(0x80U | (code & 0x3fU));
  } else {
    put(0xf0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3fU));
    put(0x80U | ((code >> 6U) & 0x3fU));
    put(0x80U | (code & 0x3fU));
  }
}

// Four hex digits at `s`, or -1.
std::int32_t hex4(std::string_view s) {
  if (s.size() < 4) return -1;
  std::int32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const char c = s[i];
    const int digit = is_digit(c)              ? c - '0'
                      : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                      : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                               : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

constexpr bool is_high_surrogate(std::int32_t c) { return c >= 0xd800 && c < 0xdc00; }
constexpr bool is_low_surrogate(std::int32_t c) { return c >= 0xdc00 && c < 0xe000; }

// `in` starts after "\u". Appends the code point; the number of bytes used, 0 = no hex digits.
std::size_t unescape_unicode(std::string_view in, std::string& out, Notes& notes) {
  const std::int32_t first = hex4(in);
  if (first < 0) return 0;
  if (is_high_surrogate(first) && in.size() >= 10 && in[4] == '\\' && in[5] == 'u') {
    const std::int32_t second = hex4(in.substr(6));
    if (is_low_surrogate(second)) {
      append_code_point(0x10000U + ((static_cast<std::uint32_t>(first) - 0xd800U) << 10U) +
                            (static_cast<std::uint32_t>(second) - 0xdc00U),
                        out);
      return 10;
    }
  }
  if (is_high_surrogate(first) || is_low_surrogate(first)) {
    out += kReplacement;
    notes.add(Note::kInvalidUtf8);
  } else {
    append_code_point(static_cast<std::uint32_t>(first), out);
  }
  return 4;
}

char simple_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return 0;
  }
}

}  // namespace

void append_valid_utf8(std::string_view in, std::string& out, Notes& notes) {
  bool bad = false;
  while (!in.empty()) {
    const std::size_t length = utf8_length(in);
    if (length == 0) {
      out += kReplacement;
      bad = true;
      in.remove_prefix(1);
    } else {
      out.append(in.substr(0, length));
      in.remove_prefix(length);
    }
  }
  if (bad) notes.add(Note::kInvalidUtf8);
}

void unescape(std::string_view in, std::string& out, Notes& notes) {
  while (!in.empty()) {
    const std::size_t slash = in.find('\\');
    append_valid_utf8(in.substr(0, slash), out, notes);
    if (slash == std::string_view::npos) return;
    in.remove_prefix(slash + 1);
    if (in.empty()) {
      out.push_back('\\');
      return;
    }
    if (in[0] == 'u') {
      const std::size_t used = unescape_unicode(in.substr(1), out, notes);
      if (used != 0) {
        in.remove_prefix(1 + used);
        continue;
      }
    } else if (const char plain = simple_escape(in[0]); plain != 0) {
      out.push_back(plain);
      in.remove_prefix(1);
      continue;
    }
    notes.add(Note::kInvalidEscape);  // "C:\Users": the backslash was meant
    out.push_back('\\');
  }
}

std::string compact_json(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  bool in_string = false;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (!in_string && is_space(c)) continue;
    out.push_back(c);
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string && i + 1 < raw.size()) out.push_back(raw[++i]);
  }
  return out;
}

}  // namespace rooflab::importers::kineto
