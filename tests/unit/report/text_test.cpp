// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "report/style.h"

namespace rooflab::report {
namespace {

TEST(Printable, EscapesWhatCouldDriveATerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("line\nbreak\r\ttab\x7f"), "line\\x0abreak\\x0d\\x09tab\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // C1 control: CSI in one character
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "evil"),
            "\\u202eevil");  // right-to-left override
}

TEST(Printable, KeepsTextAndReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printable("Größe…"), "Größe…");
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(printable("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");  // overlong NUL
  EXPECT_EQ(printable("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");  // cut short
}

RC_GTEST_PROP(Printable, NeverLetsAControlByteThrough, (const std::string& text)) {
  const std::string out = printable(text);
  RC_ASSERT(std::none_of(out.begin(), out.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  }));
}

TEST(Width, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("█▏…"), 3);
  EXPECT_EQ(display_width("核心"), 4);
  EXPECT_EQ(display_width("e\xcc\x81"), 1);  // combining acute
}

TEST(Fit, CutsToColumns) {
  EXPECT_EQ(fit("a_long_name", 8, "…"), "a_long_…");
  EXPECT_EQ(fit("short", 8, "…"), "short");
  EXPECT_EQ(fit_middle("0123456789", 7, "…"), "012…789");
  EXPECT_EQ(fit_middle("0123456789", 7, "..."), "01...89");
  EXPECT_EQ(display_width(fit("核心核心", 5, "…")), 5);
}

RC_GTEST_PROP(Fit, NeverExceedsTheWidth, (const std::string& text)) {
  const int width = *rc::gen::inRange(3, 60);
  const std::string shown = printable(text);
  RC_ASSERT(display_width(fit(shown, width, "…")) <= width);
  RC_ASSERT(display_width(fit_middle(shown, width, "…")) <= width);
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("averylongword x", 4), (std::vector<std::string>{"aver", "ylon", "gwor", "d x"}));
}

TEST(Bar, ShowsEvenTheSmallestShare) {
  const Style unicode;
  EXPECT_EQ(bar(unicode, 0, 10), "");
  EXPECT_EQ(bar(unicode, 1e-9, 10), "▏");
  EXPECT_EQ(bar(unicode, 0.5, 4), "██");
  EXPECT_EQ(bar(unicode, 1, 4), "████");
  Style plain;
  plain.unicode = false;
  EXPECT_EQ(bar(plain, 0.5, 4), "##");
  EXPECT_EQ(bar(plain, 0.001, 4), "#");
}

TEST(Paint, LeavesTextAloneWithoutColour) {
  EXPECT_EQ(paint(Style{}, Ink::kBad, "x"), "x");
  Style color;
  color.color = true;
  EXPECT_EQ(paint(color, Ink::kBad, "x"), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace rooflab::report
