// SPDX-License-Identifier: Apache-2.0
// The importer @name@: a real file's figures, a damaged one's hygiene notes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "importers/importer.h"

namespace rooflab::importers {
namespace {

TEST(@Name@, IsInTheRegistryAndTakesNothingElse) {
  const std::vector<Importer> all = all_importers();
  const auto it = std::find_if(all.begin(), all.end(),
                               [](const Importer& i) { return std::string(i.id) == "@name@"; });
  ASSERT_NE(it, all.end());
  EXPECT_EQ(it->sniff({"", "-"}), 0);
  EXPECT_EQ(it->sniff({"no such format", "x.@name@"}), 0);
}

TEST(@Name@, ReadsARealFile) {
  GTEST_SKIP() << "to be written: a recorded file, its counts and sums";
}

TEST(@Name@, CountsWhatIsDamaged) {
  GTEST_SKIP() << "to be written: a cut file, what was recovered and the note";
}

}  // namespace
}  // namespace rooflab::importers
