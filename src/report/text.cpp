// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace rooflab::report {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// Decodes one UTF-8 sequence; overlong forms, surrogates and values past U+10FFFF are invalid.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t value = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    value = (value << 6U) | (byte(i) & 0x3fU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kLeast[length] || value > 0x10ffff || surrogate) return {};
  return {value, length, true};
}

bool is_hidden(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool direction =
      (c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  const bool line_break = c == 0x2028 || c == 0x2029 || c == 0xfeff;
  return control || direction || line_break;
}

// Columns of a character: the ranges of East Asian wide characters and of combining marks that
// matter in names (Unicode 15 EastAsianWidth.txt, blocks rather than single characters).
int columns(char32_t c) {
  const auto in = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  if (in(0x300, 0x36f) || in(0x200b, 0x200d) || in(0xfe00, 0xfe0f) || in(0x20d0, 0x20ff)) return 0;
  const bool wide = in(0x1100, 0x115f) || in(0x2e80, 0xa4cf) || in(0xac00, 0xd7a3) ||
                    in(0xf900, 0xfaff) || in(0xfe30, 0xfe6f) || in(0xff00, 0xff60) ||
                    in(0xffe0, 0xffe6) || in(0x1f300, 0x1faff) || in(0x20000, 0x3fffd);
  return wide ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode(text);
    if (!c.valid) {
      out += "\xef\xbf\xbd";  // U+FFFD
    } else if (!is_hidden(c.value)) {
      out += text.substr(0, c.bytes);
    } else if (c.value < 0x100) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.value));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    width += c.valid ? columns(c.value) : 1;
    text.remove_prefix(c.bytes);
  }
  return width;
}

namespace {
// The longest prefix that takes at most `width` columns.
std::string_view prefix(std::string_view text, int width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const CodePoint c = decode(text.substr(end));
    width -= c.valid ? columns(c.value) : 1;
    if (width < 0) break;
    end += c.bytes;
  }
  return text.substr(0, end);
}
}  // namespace

std::string fit(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const int room = std::max(0, width - display_width(ellipsis));
  return std::string(prefix(text, room)) + std::string(ellipsis);
}

std::string fit_middle(std::string_view text, int width, std::string_view ellipsis) {
  const int total = display_width(text);
  if (total <= width) return std::string(text);
  const int room = std::max(0, width - display_width(ellipsis));
  const int tail = room / 2;
  const std::string_view head = prefix(text, room - tail);
  std::string_view rest = text.substr(head.size());
  while (!rest.empty() && display_width(rest) > tail) rest.remove_prefix(decode(rest).bytes);
  return std::string(head) + std::string(ellipsis) + std::string(rest);
}

std::string pad_right(std::string text, int width) {
  const int missing = width - display_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string pad_left(std::string text, int width) {
  const int missing = width - display_width(text);
  if (missing > 0) text.insert(0, static_cast<std::size_t>(missing), ' ');
  return text;
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t word_end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, word_end);
    text.remove_prefix(std::min(word_end + 1, text.size()));
    if (word.empty()) continue;
    const int used = display_width(lines.back());
    if (used > 0 && used + 1 + display_width(word) <= width) {
      lines.back() += ' ';
      lines.back() += word;
      continue;
    }
    if (used > 0) lines.emplace_back();
    for (;;) {
      // At least one character a line, however narrow the page.
      const std::size_t fits = std::max(prefix(word, width).size(), decode(word).bytes);
      lines.back() = word.substr(0, fits);
      word.remove_prefix(fits);
      if (word.empty()) break;
      lines.emplace_back();
    }
  }
  return lines;
}

}  // namespace rooflab::report
