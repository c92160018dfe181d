// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/run_file.h"

namespace rooflab::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("rooflab-outputs-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::filesystem::path folder_;
};

TEST_F(Outputs, OnlyKnownEndingsAreCut) {
  EXPECT_EQ(run_stem("d/straggler.rank0.json.gz"), "straggler.rank0");
  EXPECT_EQ(run_stem("w.1790857026.pt.trace.json"), "w.1790857026");
  EXPECT_EQ(run_stem("a.rlab"), "a");
  EXPECT_EQ(run_stem("a.x.zst"), "a.x");
  EXPECT_EQ(run_stem("a.y"), "a.y");
  EXPECT_EQ(run_stem(".json"), ".json");
  EXPECT_EQ(run_stem("-"), "stdin");
}

TEST_F(Outputs, RanksGetNamesOfTheirOwnAndAClashIsRefused) {
  const auto files = run_files({"a/t.rank0.json.gz", "a/t.rank1.json.gz"}, folder_.string());
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(path("t.rank0.rlab"), path("t.rank1.rlab")));
  const auto clash = run_files({"p/t.json", "q/t.json.gz"}, folder_.string());
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().code, ErrorCode::kUsage);
  EXPECT_THAT(clash.error().message, HasSubstr("p/t.json and q/t.json.gz"));
  EXPECT_FALSE(run_files({"a.json", "b.json"}, path("no-folder.rlab")));
}

TEST_F(Outputs, AnInputIsNeverAnOutputEvenUnderAnotherName) {
  const std::string input = write("in.json", "[]");
  std::filesystem::create_hard_link(input, path("hard.json"));
  std::filesystem::create_symlink(input, path("soft.json"));
  for (const char* name : {"in.json", "hard.json", "soft.json", "./in.json"}) {
    const auto checked = check_output(path(name), {input}, {.run_files = true, .everything = true});
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
  }
}

TEST_F(Outputs, OnlyRunFilesAreReplacedWithoutForce) {
  const std::string text = write("keep.txt", "mine");
  const std::string run = write("old.rlab", model::kRunFileMagic);
  EXPECT_TRUE(check_output(path("new.rlab"), {}, {.run_files = true}));
  EXPECT_TRUE(check_output(run, {}, {.run_files = true}));
  EXPECT_FALSE(check_output(text, {}, {.run_files = true}));
  EXPECT_TRUE(check_output(text, {}, {.run_files = true, .everything = true}));
  EXPECT_FALSE(check_output(run, {}, {}));
  EXPECT_TRUE(check_output(run, {}, {.everything = true}));
}

}  // namespace
}  // namespace rooflab::cli
