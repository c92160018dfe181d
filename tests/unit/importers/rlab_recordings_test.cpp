// SPDX-License-Identifier: Apache-2.0
// Real recordings through the run file: the same profile comes back, and it is small.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "importers/importer.h"
#include "model/run_file.h"
#include "model/validate.h"
#include "support/cases.h"
#include "support/profile_values.h"

namespace rooflab::importers {
namespace {

// Through the importer that knows the content best, as import_file does.
Result<model::Profile> import(const std::string& path) {
  RL_TRY(std::unique_ptr<ByteSource> raw, open_source(path));
  std::string head;
  const std::unique_ptr<ByteSource> source = with_head(std::move(raw), 65536, head);
  const std::vector<Importer> all = all_importers();
  const auto best = std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return a.sniff({head, path}) < b.sniff({head, path});
  });
  if (best == all.end() || best->sniff({head, path}) == 0)
    return fail(ErrorCode::kUnavailable, "no importer knows this file");
  return best->read(*source, path, {});
}

TEST(RlabRecordings, EveryRecordingComesBackAndKeepsTheRules) {
  std::size_t events = 0, bytes = 0, files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing::test_data("h200"))) {
    const std::string path = entry.path().string();
    if (path.find(".json.gz") == std::string::npos) continue;
    const Result<model::Profile> profile = import(path);
    if (!profile && profile.error().code == ErrorCode::kUnavailable)
      GTEST_SKIP() << "no importer for " << path;
    ASSERT_TRUE(profile) << path << ": " << profile.error().message;
    const Result<void> valid = model::validate(*profile);
    ASSERT_TRUE(valid) << path << ": " << valid.error().message;
    const std::string run = model::encode_run(*profile).value();
    const Result<model::Profile> back = model::decode_run(run, path);
    ASSERT_TRUE(back) << path << ": " << back.error().message;
    EXPECT_EQ(testing::difference(*profile, *back), "") << path;
    events += profile->spans.size() + profile->work.size() + profile->memory_events.size();
    bytes += run.size();
    ++files;
  }
  EXPECT_GE(files, 20U);
  // 6 bytes an event when this was written, small files with their 4 KB of footer included.
  EXPECT_LT(bytes, events * 12) << bytes << " bytes for " << events << " events";
}

}  // namespace
}  // namespace rooflab::importers
