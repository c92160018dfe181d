// SPDX-License-Identifier: Apache-2.0
#include "report/style.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rooflab::report {

std::string paint(const Style& style, Ink ink, std::string_view text) {
  if (!style.color || ink == Ink::kPlain || text.empty()) return std::string(text);
  // SGR codes of the basic palette, which every terminal theme keeps readable.
  constexpr std::array<std::string_view, 7> kCodes{"0", "1", "2", "32", "33", "31", "36"};
  std::string out = "\x1b[";
  out += kCodes[static_cast<std::size_t>(ink)];
  out += 'm';
  out += text;
  out += "\x1b[0m";
  return out;
}

std::string bar(const Style& style, double share, int width) {
  if (!(share > 0) || width <= 0) return {};
  share = std::min(share, 1.0);
  if (!style.unicode) {
    const auto marks = std::max(1L, std::lround(share * width));
    return std::string(static_cast<std::size_t>(marks), '#');
  }
  constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const long eighths = std::max(1L, std::lround(share * width * 8));
  std::string out;
  for (long i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths[static_cast<std::size_t>(eighths % 8)];
  return out;
}

}  // namespace rooflab::report
