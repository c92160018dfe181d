// SPDX-License-Identifier: Apache-2.0
// Every registry holds exactly the files of its folder, in name order, under ids that equal the
// file names, with texts that users can read: a scaffold that still says TO WRITE fails here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/peers/peer.h"
#include "cli/verb.h"
#include "importers/importer.h"
#include "rules/rule.h"

namespace rooflab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> ids;
  std::error_code none;
  const std::filesystem::path path = std::string(ROOFLAB_SOURCE_DIR "/src/") + folder;
  for (const auto& entry : std::filesystem::directory_iterator(path, none)) {
    if (entry.path().extension() == ".cpp") ids.push_back(entry.path().stem().string());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

template <class Entry, class Id>
std::vector<std::string> ids_of(const std::vector<Entry>& entries, Id id) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries) ids.emplace_back(id(entry));
  return ids;
}

void expect_readable(const std::string& id, const char* text) {
  ASSERT_NE(text, nullptr) << id;
  EXPECT_STRNE(text, "") << id;
  EXPECT_THAT(text, Not(HasSubstr("TO WRITE"))) << id;
}

TEST(Registry, Rules) {
  const auto all = rules::all_rules();
  EXPECT_EQ(ids_of(all, [](const rules::Rule& r) { return r.info.id; }),
            files_of("rules/diagnoses"));
  for (const rules::Rule& rule : all) {
    expect_readable(rule.info.id, rule.info.title);
    expect_readable(rule.info.id, rule.info.why);
    EXPECT_TRUE(rule.run) << rule.info.id;
    for (const rules::Threshold& threshold : rule.info.thresholds) {
      expect_readable(rule.info.id, threshold.name);
      expect_readable(rule.info.id, threshold.why);
    }
  }
}

TEST(Registry, Importers) {
  const auto all = importers::all_importers();
  EXPECT_EQ(ids_of(all, [](const importers::Importer& i) { return i.id; }),
            files_of("importers/formats"));
  for (const importers::Importer& importer : all) {
    expect_readable(importer.id, importer.title);
    EXPECT_NE(importer.read, nullptr) << importer.id;
    ASSERT_NE(importer.sniff, nullptr) << importer.id;
    EXPECT_EQ(importer.sniff({"", "-"}), 0) << importer.id << " claims an empty input";
  }
}

TEST(Registry, Peers) {
  const auto all = analysis::all_peers();
  EXPECT_EQ(ids_of(all, [](const analysis::Peer& p) { return p.id; }), files_of("analysis/peers"));
  for (const analysis::Peer& peer : all) {
    expect_readable(peer.id, peer.title);
    EXPECT_NE(peer.figures, nullptr) << peer.id;
  }
}

TEST(Registry, Verbs) {
  const auto all = cli::all_verbs();
  EXPECT_EQ(ids_of(all, [](const cli::Verb& v) { return v.id; }), files_of("cli/verbs"));
  for (const cli::Verb& verb : all) {
    expect_readable(verb.id, verb.summary);
    EXPECT_NE(verb.setup, nullptr) << verb.id;
  }
}

}  // namespace
}  // namespace rooflab
