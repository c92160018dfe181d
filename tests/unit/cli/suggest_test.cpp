// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.h"

#include <gtest/gtest.h>

namespace rooflab::cli {
namespace {

TEST(Suggest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("why", "why"), 0);
  EXPECT_EQ(edit_distance("wyh", "why"), 1);
  EXPECT_EQ(edit_distance("kernle", "kernel"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Suggest, OffersOnlyWhatCanBeMeant) {
  const std::vector<std::string> verbs = {"why", "info", "top", "import", "export"};
  EXPECT_EQ(nearest("wyh", verbs), "why");
  EXPECT_EQ(nearest("imprt", verbs), "import");
  EXPECT_EQ(nearest("exp", verbs), "export");
  EXPECT_EQ(nearest("frobnicate", verbs), "");
  EXPECT_EQ(nearest("WHY", verbs), "why");
  EXPECT_EQ(nearest("hta", {"HTA"}), "HTA");
  EXPECT_EQ(did_you_mean("wyh", verbs), "did you mean why?");
  EXPECT_EQ(did_you_mean("frobnicate", verbs), "one of: why, info, top, import, export");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

}  // namespace
}  // namespace rooflab::cli
