// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/splitter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rooflab::importers::kineto {
namespace {

struct Found {
  std::size_t boundary = Splitter::kNone, array_end = Splitter::kNone;
  bool operator==(const Found&) const = default;
};

// The same, one byte at a time.
Found reference(const std::string& text) {
  Found found;
  std::int64_t depth = 0;
  bool in_string = false;
  bool escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool was_escaped = escaped;
    escaped = !was_escaped && c == '\\';
    if (c == '"' && !was_escaped) in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') ++depth;
    if (c != '}' && c != ']') continue;
    if (--depth == 0) found.boundary = i + 1;
    if (depth < 0) {
      found.array_end = i;
      return found;
    }
  }
  return found;
}

Found split(const std::string& text, std::size_t piece) {
  const std::string padded = text + std::string(Splitter::kBlock, '\0');
  Splitter splitter;
  for (std::size_t end = 0; end < text.size();) {
    end = std::min(text.size(), end + piece);
    splitter.scan(padded.data(), end, true, end == text.size());
  }
  return {splitter.boundary(), splitter.array_end()};
}

TEST(KinetoSplitter, FindsEventsAndTheArraysEnd) {
  const std::string text = R"(  {"a": "}"}, {"b": [1, "\"]"]} ], "after": [])";
  const Found found = split(text, 1000);
  EXPECT_EQ(found.array_end, text.find(", \"after\"") - 1);
  EXPECT_EQ(found.boundary, text.find("} ]") + 1);
}

TEST(KinetoSplitter, AgreesWithTheBytewiseReading) {
  EXPECT_TRUE(rc::check("on any text, in any pieces", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
        std::vector<std::string>{"{", "}", "[", "]", "\"", "\\", "\\\\", "\\\"", "a", "     ",
                                 "{\"k\":[1,2]}", "\"x}y\"", std::string(61, 'z')}));
    std::string text;
    for (const std::string& p : pieces) text += p;
    const auto piece = *rc::gen::inRange<std::size_t>(1, 200);
    RC_ASSERT(split(text, piece) == reference(text));
  }));
}

}  // namespace
}  // namespace rooflab::importers::kineto
