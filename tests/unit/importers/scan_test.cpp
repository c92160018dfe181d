// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/scan.h"

#include <gtest/gtest.h>

#include <string>

namespace rooflab::importers::kineto {
namespace {

std::string padded(std::string text) { return text + std::string(kScanPadding, '\0'); }

TEST(KinetoScan, SpacesOfEveryKindAndLength) {
  for (std::size_t n = 0; n < 70; ++n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text.push_back(" \n\r\t"[i % 4]);
    const std::string in = padded(text + "x");
    EXPECT_EQ(skip_space(in.data()) - in.data(), static_cast<std::ptrdiff_t>(n));
  }
  const std::string end = padded("   ");
  EXPECT_EQ(skip_space(end.data()) - end.data(), 3);  // a zero byte is no space
}

TEST(KinetoScan, StringsEndAtTheFirstFreeQuote) {
  for (std::size_t n = 0; n < 40; ++n) {
    const std::string in = padded(std::string(n, 'a') + "\\\"b\\\\\" rest\"");
    std::uint8_t flags = 0;
    const char* close = scan_string(in.data(), flags);
    ASSERT_NE(close, nullptr);
    EXPECT_EQ(close - in.data(), static_cast<std::ptrdiff_t>(n + 5));
    EXPECT_EQ(flags, kTextEscaped);
  }
}

TEST(KinetoScan, StringsReportBytesAboveAscii) {
  for (std::size_t n = 0; n < 40; ++n) {
    std::uint8_t flags = 0;
    const std::string in = padded(std::string(n, 'a') + "\xC3\xA9\"");
    ASSERT_NE(scan_string(in.data(), flags), nullptr);
    EXPECT_EQ(flags, kTextNonAscii) << n;
    flags = 0;
    const std::string after = padded(std::string(n, 'a') + "\"\xC3\xA9");  // outside the string
    ASSERT_NE(scan_string(after.data(), flags), nullptr);
    EXPECT_EQ(flags, 0) << n;
  }
}

TEST(KinetoScan, ControlCharactersAndTheEndRefuseAString) {
  std::uint8_t flags = 0;
  for (const std::string& text : {std::string("abc\ndef\""), std::string("never closed"),
                                  std::string("ends in a backslash\\"), std::string("a\\\n\"")}) {
    const std::string in = padded(text);
    EXPECT_EQ(scan_string(in.data(), flags), nullptr) << text;
  }
}

TEST(KinetoScan, ValuesOfEveryKind) {
  for (const char* value : {"12", "-1.5e+3", "true", "false", "null", "\"a ] b\"", "[]", "{}",
                            "[1, [2, {\"a\": \"}\"}], null]", "{\"a\": {\"b\": [true]}}"}) {
    const std::string in = padded(std::string(value) + ", rest");
    const char* end = skip_value(in.data());
    ASSERT_NE(end, nullptr) << value;
    EXPECT_EQ(end - in.data(), static_cast<std::ptrdiff_t>(std::string(value).size()));
  }
}

TEST(KinetoScan, ValuesThatAreNotWellFormed) {
  for (const char* value :
       {"NaN", "inf", "[1, 2}", "{\"a\": 1]", "[1, 2", "[NaN]", "tru", "N/A", ""}) {
    const std::string in = padded(value);
    EXPECT_EQ(skip_value(in.data()), nullptr) << value;
  }
}

TEST(KinetoScan, DepthIsLimitedWithoutRecursion) {
  const auto nested = [](std::size_t depth) {
    return padded(std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_NE(skip_value(nested(static_cast<std::size_t>(kMaxDepth)).data()), nullptr);
  EXPECT_EQ(skip_value(nested(static_cast<std::size_t>(kMaxDepth) + 1).data()), nullptr);
  EXPECT_EQ(skip_value(nested(1000000).data()), nullptr);
}

}  // namespace
}  // namespace rooflab::importers::kineto
