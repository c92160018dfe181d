// SPDX-License-Identifier: Apache-2.0
// Text out of JSON: escapes undone, invalid UTF-8 replaced, raw values brought to one spelling.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "importers/kineto/notes.h"

namespace rooflab::importers::kineto {

// A piece of the input: what stands between two quotes, or a raw value.
struct Text {
  const char* data = nullptr;
  std::uint32_t size = 0;
  std::uint8_t flags = 0;  // kTextEscaped, kTextNonAscii
  bool raw_json = false;   // a value as written, quotes and brackets included
  [[nodiscard]] std::string_view view() const { return {data, size}; }
};

// Owns the text that is not a piece of the input; addresses stay valid.
using TextArena = std::deque<std::string>;

// The content of a JSON string: escapes (surrogate pairs too) undone, invalid UTF-8 and lone
// surrogates replaced by U+FFFD and counted. Appends to `out`.
void unescape(std::string_view in, std::string& out, Notes& notes);
// Appends `in` with invalid UTF-8 replaced (one U+FFFD a bad byte).
void append_valid_utf8(std::string_view in, std::string& out, Notes& notes);
// A raw value without the white space outside its strings: "[[1, 2], []]" -> "[[1,2],[]]".
[[nodiscard]] std::string compact_json(std::string_view raw);

}  // namespace rooflab::importers::kineto
