// SPDX-License-Identifier: Apache-2.0
#include "base/string_table.h"

#include <gtest/gtest.h>

#include <string>

namespace rooflab {
namespace {

TEST(StringTable, EqualTextHasOneIdAndEmptyIsZero) {
  StringTable table;
  EXPECT_EQ(table.intern("").row, 0U);
  const StringId a = table.intern("aten::mm");
  EXPECT_EQ(table.intern("aten::mm"), a);
  EXPECT_NE(table.intern("aten::bmm"), a);
  EXPECT_EQ(table.view(a), "aten::mm");
}

TEST(StringTable, ViewsStayValidWhileItGrows) {
  StringTable table;
  const StringId first = table.intern("first");
  const std::string_view view = table.view(first);
  for (int i = 0; i < 100000; ++i) table.intern("name " + std::to_string(i));
  EXPECT_EQ(view, "first");
  EXPECT_EQ(table.view(first).data(), view.data());
  EXPECT_EQ(table.view(table.find("name 99999")), "name 99999");
  EXPECT_FALSE(table.find("absent").valid());
}

TEST(StringTable, TextLongerThanABlockIsKept) {
  StringTable table;
  const std::string big(1U << 20U, 'x');
  EXPECT_EQ(table.view(table.intern(big)), big);
  EXPECT_EQ(table.view(table.intern("after")), "after");
}

TEST(StringTable, AnIdOutOfRangeReadsAsEmpty) {
  const StringTable table;
  EXPECT_EQ(table.view(StringId(12345U)), "");
  EXPECT_EQ(table.view(StringId()), "");
}

}  // namespace
}  // namespace rooflab
