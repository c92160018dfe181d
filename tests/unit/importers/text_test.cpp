// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/text.h"

#include <gtest/gtest.h>

namespace rooflab::importers::kineto {
namespace {

std::string plain(std::string_view in, Notes& notes) {
  std::string out;
  unescape(in, out, notes);
  return out;
}

TEST(KinetoText, EscapesAreUndone) {
  Notes notes;
  EXPECT_EQ(plain(R"(a\n\t\"\\\/b)", notes), "a\n\t\"\\/b");
  EXPECT_EQ(plain(R"(\u00e9\u20ac\ud83d\ude00)", notes), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(notes.count(Note::kInvalidEscape), 0);
  EXPECT_EQ(notes.count(Note::kInvalidUtf8), 0);
}

TEST(KinetoText, WrongEscapesStayAndAreCounted) {
  Notes notes;
  EXPECT_EQ(plain(R"(C:\Users\me)", notes), "C:\\Users\\me");
  EXPECT_EQ(notes.count(Note::kInvalidEscape), 2);
  EXPECT_EQ(plain(R"(\u12)", notes), "\\u12");
  EXPECT_EQ(notes.count(Note::kInvalidEscape), 3);
}

TEST(KinetoText, BadUtf8BecomesTheReplacementCharacter) {
  Notes notes;
  const auto valid = [&](std::string_view in) {
    std::string out;
    append_valid_utf8(in, out, notes);
    return out;
  };
  EXPECT_EQ(valid("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(notes.count(Note::kInvalidUtf8), 0);
  EXPECT_EQ(valid("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(valid("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(valid("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(valid("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut short
  EXPECT_EQ(valid("\xF4\x90\x80\x80").size(), 12U);                          // above U+10FFFF
  EXPECT_EQ(notes.count(Note::kInvalidUtf8), 5);
  EXPECT_EQ(plain("\\ud83dx", notes), "\xEF\xBF\xBDx");  // lone surrogate
}

TEST(KinetoText, RawValuesLoseTheSpaceOutsideStrings) {
  EXPECT_EQ(compact_json("[[16, 1024], [ ] ]"), "[[16,1024],[]]");
  EXPECT_EQ(compact_json("[\"a b\", \"c \\\" d\"]"), "[\"a b\",\"c \\\" d\"]");
}

}  // namespace
}  // namespace rooflab::importers::kineto
