// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "importers/importer.h"
#include "model/run_file.h"
#include "support/profile_values.h"
#include "support/random_profile.h"

namespace rooflab::importers {
namespace {

Importer rlab() {
  const std::vector<Importer> all = all_importers();
  const auto it = std::find_if(all.begin(), all.end(),
                               [](const Importer& i) { return std::string_view(i.id) == "rlab"; });
  EXPECT_NE(it, all.end());
  return *it;
}

TEST(Rlab, KnowsItsMagicAndNothingElse) {
  const std::string bytes = model::encode_run(model::Profile()).value();
  EXPECT_EQ(rlab().sniff({bytes, "any name"}), 100);
  EXPECT_EQ(rlab().sniff({bytes.substr(0, 7), "a.rlab"}), 0);
  EXPECT_EQ(rlab().sniff({"{\"traceEvents\": []}", "a.rlab"}), 0);
  EXPECT_EQ(rlab().sniff({"", "a.rlab"}), 0);
}

TEST(Rlab, ReadsThroughASource) {
  const model::Profile profile = testing::random_profile(21, 50);
  const std::string bytes = model::encode_run(profile).value();
  const Result<model::Profile> back = rlab().read(*memory_source(bytes), "a.rlab", {});
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(testing::difference(profile, *back), "");
}

TEST(Rlab, ADamagedFileNamesItself) {
  const std::string bytes = model::encode_run(testing::random_profile(22, 50)).value();
  const std::string cut = bytes.substr(0, bytes.size() / 2);
  const Result<model::Profile> back = rlab().read(*memory_source(cut), "a.rlab", {});
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().where, "a.rlab");
  EXPECT_NE(back.error().hint, "");
}

}  // namespace
}  // namespace rooflab::importers
