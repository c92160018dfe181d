// SPDX-License-Identifier: Apache-2.0
// Choosing an importer and listing a directory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/cases.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

namespace fs = std::filesystem;

class ImportFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(::testing::TempDir()) /
           ("rooflab_import_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
            ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(dir_ / "below");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(dir_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = dir_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  fs::path dir_;
};

const std::string kTrace =
    R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2}]})";

TEST_F(ImportFiles, ContentDecidesNotTheName) {
  const Result<model::Profile> p = import_file(write("trace.txt", kTrace));
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->work.size(), 1U);
  EXPECT_EQ(p->provenance.importer, "kineto");
  EXPECT_EQ(p->provenance.input, (dir_ / "trace.txt").string());
}

TEST_F(ImportFiles, ErrorsSayWhatWhereAndWhatToDo) {
  for (const auto& path : {(dir_ / "absent.json").string(), dir_.string(), write("empty", ""),
                           write("elf",
                                 "\x7f"
                                 "ELF"),
                           write("other.json", "{\"benchmarks\": []}")}) {
    const Result<model::Profile> p = import_file(path);
    ASSERT_FALSE(p.has_value()) << path;
    EXPECT_EQ(p.error().code, ErrorCode::kUnreadable) << path;
    EXPECT_NE((p.error().where + p.error().message).find(path), std::string::npos) << path;
    EXPECT_FALSE(p.error().hint.empty()) << path;
  }
}

TEST_F(ImportFiles, ADirectoryGivesItsTracesInNameOrder) {
  const std::string b = write("b.json", kTrace);
  const std::string a = write("a.json", kTrace);
  write("notes.json", "{\"benchmarks\": []}");
  write("readme.txt", "hello");
  write("below/c.json", kTrace);
  const auto inputs = expand_inputs(dir_.string());
  ASSERT_TRUE(inputs.has_value());
  EXPECT_EQ(*inputs, (std::vector<std::string>{a, b}));
}

TEST_F(ImportFiles, ADirectoryWithoutTracesIsAnError) {
  write("readme.txt", "hello");
  const auto inputs = expand_inputs(dir_.string());
  ASSERT_FALSE(inputs.has_value());
  EXPECT_NE(inputs.error().message.find("1 file"), std::string::npos);
}

TEST_F(ImportFiles, AFileIsItself) {
  EXPECT_EQ(*expand_inputs("some.json"), std::vector<std::string>{"some.json"});
  EXPECT_EQ(*expand_inputs("-"), std::vector<std::string>{"-"});
}

// A gzip stream that stops early gives the events before the cut.
TEST_F(ImportFiles, ATruncatedGzipGivesWhatItHolds) {
  std::ifstream whole(testing::test_data("h200/sync_bound.json.gz"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(whole)),
                          std::istreambuf_iterator<char>());
  const Result<model::Profile> p =
      import_file(write("cut.json.gz", bytes.substr(0, bytes.size() / 2)));
  ASSERT_TRUE(p.has_value()) << p.error().message;
  EXPECT_GT(p->spans.size(), 500U);
  EXPECT_EQ(p->hygiene.count("truncated_input"), 1);
  EXPECT_TRUE(p->hygiene.forbids(model::Claim::kCoverage));
}

}  // namespace
}  // namespace rooflab::importers
