// SPDX-License-Identifier: Apache-2.0
#include "importers/json/close_json.h"

#include <array>

namespace rooflab::importers::json {
namespace {

constexpr std::size_t kMaxDepth = 256;

// The position of the quote that ends the string which begins before `at`, or npos.
std::size_t string_end(const std::string& text, std::size_t at) {
  for (;;) {
    at = text.find_first_of("\"\\", at);
    if (at == std::string::npos || text[at] == '"') return at;
    at += 2;
    if (at >= text.size()) return std::string::npos;
  }
}

}  // namespace

Closed close_json(std::string& text) {
  std::array<char, kMaxDepth> open{};
  std::size_t depth = 0, whole = 0, whole_depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at + 1);
      if (at == std::string::npos) break;
    } else if (c == '{' || c == '[') {
      if (depth == kMaxDepth) return Closed::kHopeless;
      open[depth++] = c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (depth == 0 || open[depth - 1] != c) return Closed::kHopeless;
      whole = at + 1;
      whole_depth = --depth;
      if (depth == 0) {  // what follows the root is nothing of ours
        text.resize(whole);
        return Closed::kWasWhole;
      }
    }
  }
  if (whole == 0) return Closed::kHopeless;
  text.resize(whole);
  while (whole_depth > 0) text.push_back(open[--whole_depth]);
  return Closed::kRepaired;
}

}  // namespace rooflab::importers::json
