// SPDX-License-Identifier: Apache-2.0
#include "cli/change_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/change.h"

namespace rooflab::cli {
namespace {

using ::testing::HasSubstr;

TEST(ChangeText, ANameAndItsArguments) {
  EXPECT_EQ(*parse_change("pin-copies"), (graph::ChangeCall{"pin-copies", {}}));
  EXPECT_EQ(*parse_change("  loader-workers   8 "), (graph::ChangeCall{"loader-workers", {"8"}}));
}

TEST(ChangeText, QuotesKeepAnArgumentTogether) {
  const graph::ChangeCall expected{"remove-host", {"range:log metrics"}};
  EXPECT_EQ(*parse_change("remove-host 'range:log metrics'"), expected);
  EXPECT_EQ(*parse_change("remove-host range:\"log metrics\""), expected);
}

TEST(ChangeText, FaultsAreUsageErrors) {
  for (const char* text : {"", "  ", "remove-host 'open", "grahp-launches"}) {
    const auto call = parse_change(text);
    ASSERT_FALSE(call) << text;
    EXPECT_EQ(call.error().code, ErrorCode::kUsage) << text;
  }
  EXPECT_EQ(parse_change("grahp-launches").error().hint, "did you mean graph-launches?");
}

TEST(ChangeText, HelpListsEveryChange) {
  const std::string help = changes_help();
  for (const graph::Change& change : graph::all_changes()) {
    EXPECT_THAT(help, HasSubstr(std::string("  ") + change.name));
    EXPECT_THAT(help, HasSubstr(std::string(change.what).substr(0, 20)));
  }
}

}  // namespace
}  // namespace rooflab::cli
