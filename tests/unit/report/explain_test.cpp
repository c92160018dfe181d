// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "analysis/units.h"
#include "verdict/verdict.h"

namespace rooflab::report {
namespace {

std::set<std::string> matches_in(const std::string& text, const re2::RE2& pattern) {
  std::set<std::string> out;
  re2::StringPiece rest(text);
  std::string code;
  while (re2::RE2::FindAndConsume(&rest, pattern, &code)) out.insert(code);
  return out;
}

// Codes are declared where they are counted: `hygiene.add("code", ...` and the importers' note
// lists.
std::set<std::string> hygiene_codes_in_the_sources() {
  const re2::RE2 added("(?:\\bh|hygiene\\(?\\)?|notes)\\.add\\(\\s*\"([a-z0-9_]+)\"");
  const re2::RE2 listed("\\{\"([a-z0-9_]+)\",\\s*\"[A-Z]");
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
  // A limit and an owner may share a name ("compute"): explain then prints both.
  std::set<std::pair<std::string, std::string>> ids;
  for (const Topic& topic : topics()) {
    EXPECT_TRUE(ids.emplace(topic.kind, topic.id).second) << topic.id;
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

std::string kinds_of(std::string_view id) {
  std::string out;
  for (const Topic* topic : find_topics(id)) out += (out.empty() ? "" : ",") + topic->kind;
  return out;
}

TEST(Explain, EveryWordOfAVerdictIsExplained) {
  for (int i = 0; i <= static_cast<int>(verdict::Limit::kNone); ++i) {
    const auto limit = static_cast<verdict::Limit>(i);
    const std::string name(verdict::to_string(limit));
    EXPECT_THAT(kinds_of(name), ::testing::HasSubstr("limit")) << name;  // straggler: a rule too
    const bool plain = limit == verdict::Limit::kStraggler || limit == verdict::Limit::kNone;
    if (plain) continue;  // their class is the limit itself
    // launch_bound and transfer_bound are diagnoses as well.
    EXPECT_THAT(kinds_of(name + "_bound"), ::testing::EndsWith("class")) << name;
  }
  for (const auto state :
       {verdict::State::kHealthy, verdict::State::kImprovable, verdict::State::kInconclusive}) {
    EXPECT_EQ(kinds_of(verdict::to_string(state)), "state");
  }
  for (const auto basis : {analysis::WindowBasis::kDeviceSteps, analysis::WindowBasis::kDeviceSpan,
                           analysis::WindowBasis::kHostSpan, analysis::WindowBasis::kUser}) {
    EXPECT_EQ(kinds_of(analysis::to_string(basis)), "window");
  }
  EXPECT_EQ(kinds_of("provisional"), "word");
  EXPECT_EQ(kinds_of("compute"), "limit,owner");
}

TEST(Explain, EveryPrefixOfAnOwnerIsExplained) {
  for (const char* owner :
       {"compute.gemm", "comm.exposed.unsplit", "comm.exposed.wait", "copy.exposed.h2d.pageable",
        "memset", "idle.starved.input:x", "idle.starved.copy_call", "idle.in_call", "idle.dispatch",
        "idle.blocked", "idle.unlinked", "idle.graph", "idle.profiler", "idle.window.before",
        "idle.window.after"}) {
    for (std::string name = owner; !name.empty();) {
      EXPECT_THAT(kinds_of(name), ::testing::HasSubstr("owner")) << name;
      const std::size_t cut = name.find_last_of(".:");
      name.resize(cut == std::string::npos ? 0 : cut);
    }
  }
}

TEST(Explain, ThresholdsAreWrittenAsPeopleWriteThem) {
  for (const Topic& topic : topics()) {
    for (const auto& [label, text] : topic.facts) {
      if (label != "threshold") continue;
      EXPECT_FALSE(re2::RE2::PartialMatch(text, "= [0-9.]+e[+-]")) << text;
    }
  }
}

}  // namespace
}  // namespace rooflab::report
