// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace rooflab::report {
namespace {

std::set<std::string> matches_in(const std::string& text, const std::regex& pattern) {
  std::set<std::string> out;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    out.insert((*it)[1]);
  }
  return out;
}

// Codes are declared where they are counted: `hygiene.add("code", ...` and the importers' note
// lists.
std::set<std::string> hygiene_codes_in_the_sources() {
  const std::regex added("(?:\\bh|hygiene\\(?\\)?|notes)\\.add\\(\\s*\"([a-z0-9_]+)\"");
  const std::regex listed("\\{\"([a-z0-9_]+)\",\\s*\"[A-Z]");
  std::set<std::string> codes;
  for (const char* room : {"model", "importers"}) {
    const std::string root = std::string(ROOFLAB_SOURCE_DIR "/src/") + room;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      codes.merge(matches_in(text, added));
      if (entry.path().filename() == "notes.cpp") codes.merge(matches_in(text, listed));
    }
  }
  return codes;
}

TEST(Explain, EveryHygieneCodeIsExplained) {
  const std::set<std::string> codes = hygiene_codes_in_the_sources();
  EXPECT_GT(codes.size(), 20U);
  for (const std::string& code : codes) {
    const Topic* topic = find_topic(code);
    EXPECT_TRUE(topic != nullptr && topic->kind == "hygiene") << code;
  }
}

TEST(Explain, TopicsAreWholeAndUnique) {
  std::set<std::string> ids;
  for (const Topic& topic : topics()) {
    EXPECT_TRUE(ids.insert(topic.id).second) << topic.id;
    for (const std::string& text : {topic.kind, topic.id, topic.title, topic.text}) {
      EXPECT_FALSE(text.empty()) << topic.id;
    }
  }
}

TEST(Explain, OwnersAreFoundByTheirLongestBranch) {
  EXPECT_EQ(find_topic("idle.starved.input:load_batch")->id, "idle.starved.input");
  EXPECT_EQ(find_topic("compute.gemm")->id, "compute");
  EXPECT_EQ(find_topic("copy.exposed.h2d.pinned")->id, "copy.exposed");
  EXPECT_EQ(find_topic("idleness"), nullptr);
}

}  // namespace
}  // namespace rooflab::report
