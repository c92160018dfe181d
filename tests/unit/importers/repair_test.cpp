// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/repair.h"

#include <gtest/gtest.h>

namespace rooflab::importers::kineto {
namespace {

std::string mended(std::string_view damaged, Note expected, bool close_open = true) {
  const Repair repair = repair_object(damaged, close_open);
  EXPECT_TRUE(repair.ok) << damaged;
  EXPECT_GE(repair.notes.count(expected), 1) << damaged;
  return repair.json.substr(0, repair.json.find('\0'));
}

TEST(KinetoRepair, NumbersThatJsonDoesNotHave) {
  for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "N/A"}) {
    EXPECT_EQ(mended(std::string("{\"a\": ") + word + ", \"b\": 1}", Note::kNonFiniteNumber),
              R"({"a":null,"b":1})");
  }
  EXPECT_EQ(mended(R"({"a": None})", Note::kBareWord), R"({"a":null})");
}

TEST(KinetoRepair, QuotesInNames) {
  EXPECT_EQ(mended(R"({"name": "operator"" _x", "pid": 1})", Note::kUnescapedQuote),
            R"({"name":"operator\"\" _x","pid":1})");
  EXPECT_EQ(mended(R"({"name": "5" disk", "pid": 1})", Note::kUnescapedQuote),
            R"({"name":"5\" disk","pid":1})");
  EXPECT_EQ(mended(R"({"args": {"v": ["a"b", "c"]}})", Note::kUnescapedQuote),
            R"({"args":{"v":["a\"b","c"]}})");
}

TEST(KinetoRepair, WindowsPaths) {
  EXPECT_EQ(mended(R"({"name": "C:\Users\x.py", "pid": 1})", Note::kInvalidEscape),
            R"({"name":"C:\\Users\\x.py","pid":1})");
  EXPECT_EQ(mended(R"({"name": "C:\dir\", "pid": 1})", Note::kInvalidEscape),
            R"({"name":"C:\\dir\\","pid":1})");
}

TEST(KinetoRepair, ControlCharacters) {
  EXPECT_EQ(mended("{\"name\": \"a\nb\x01\"}", Note::kRawControlCharacter),
            R"({"name":"a\u000ab\u0001"})");
}

TEST(KinetoRepair, Commas) {
  EXPECT_EQ(mended(R"({"a": [1, 2,], "b": 3,})", Note::kTrailingComma), R"({"a":[1,2],"b":3})");
  EXPECT_EQ(mended("{\"a\": 1\n \"b\": 2}", Note::kMissingComma), R"({"a":1,"b":2})");
}

TEST(KinetoRepair, MissingBracketsOnlyWhereAsked) {
  EXPECT_EQ(mended(R"({"a": {"b": 1)", Note::kUnclosedEvent), R"({"a":{"b":1}})");
  EXPECT_FALSE(repair_object(R"({"a": {"b": 1)", false).ok);
}

TEST(KinetoRepair, DeepValuesBecomeNull) {
  const std::string deep =
      "{\"a\": " + std::string(5000, '[') + std::string(5000, ']') + ", \"b\": 1}";
  const std::string json = mended(deep, Note::kDeepNesting);
  EXPECT_LT(json.size(), 1000U);
  EXPECT_EQ(json.substr(json.size() - 7), ",\"b\":1}");
}

TEST(KinetoRepair, HopelessTextIsRefused) {
  for (const char* text : {"{\"a\" 1}", "{]", "{\"never closed", "{1: 2}", "{\"a\": {{}}}"}) {
    EXPECT_FALSE(repair_object(text, true).ok) << text;
  }
}

TEST(KinetoRepair, FindsTheNextEvent) {
  const std::string text = R"(garbage "x": {"name": 1}, {"ph": "X"}, {"other": 2})";
  const char* begin = text.data();
  const char* end = begin + text.size();
  EXPECT_EQ(find_event_start(begin, begin, end) - begin,
            static_cast<std::ptrdiff_t>(text.find("{\"ph\"")));
  EXPECT_EQ(find_event_start(begin, begin + text.find("{\"ph\"") + 1, end), end);
}

TEST(KinetoRepair, DeviceWorkIsToldFromHostWork) {
  EXPECT_TRUE(may_be_device_work(R"({"ph": "X", "cat": "kernel", "na)"));
  EXPECT_TRUE(may_be_device_work(R"({"ph": "X", "cat": "gpu_memcpy", "na)"));
  EXPECT_TRUE(may_be_device_work(R"({"ph": "X", "na)"));
  EXPECT_FALSE(may_be_device_work(R"({"ph": "X", "cat": "cpu_op", "na)"));
  EXPECT_FALSE(may_be_device_work(R"({"ph": "M", "name": "process_na)"));
}

}  // namespace
}  // namespace rooflab::importers::kineto
