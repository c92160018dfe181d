// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rooflab::cli {
namespace {

using ::testing::HasSubstr;

ConfigSources sources(std::string toml = "") {
  ConfigSources s;
  s.environment = [](const std::string&) { return std::string(); };
  if (!toml.empty()) {
    s.toml_path = "rooflab.toml";
    s.toml = std::move(toml);
  }
  return s;
}

TEST(Config, FlagWinsOverEnvironmentOverFileOverDefault) {
  ConfigSources s = sources("format = \"csv\"");
  EXPECT_EQ(resolve_config(sources())->values.at("format").origin, "default");
  EXPECT_EQ(resolve_config(s)->values.at("format").origin, "rooflab.toml");
  s.environment = [](const std::string& name) {
    return std::string(name == "ROOFLAB_FORMAT" ? "md" : "");
  };
  EXPECT_EQ(resolve_config(s)->get("format"), "md");
  EXPECT_EQ(resolve_config(s)->values.at("format").origin, "ROOFLAB_FORMAT");
  s.flags["format"] = "json";
  EXPECT_EQ(resolve_config(s)->get("format"), "json");
  EXPECT_EQ(resolve_config(s)->values.at("format").origin, "--format");
}

TEST(Config, ReadsOtherTypesAndSuppressions) {
  const auto config =
      resolve_config(sources("full_names = true\nthreads = 2\n"
                             "[[suppress]]\nrule = \"small_kernels\"\nreason = \"known\"\n"
                             "[[suppress]]\nrule = \"no_reason\"\n"));
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->is_on("full_names"));
  EXPECT_EQ(config->get("threads"), "2");
  ASSERT_EQ(config->suppressed.size(), 1U);
  EXPECT_EQ(config->suppressed[0].rule, "small_kernels");
  ASSERT_EQ(config->warnings.size(), 1U);
  EXPECT_THAT(config->warnings[0], HasSubstr("needs rule and reason"));
}

TEST(Config, AnUnknownKeyIsAWarningWithASuggestion) {
  const auto config = resolve_config(sources("fromat = \"json\""));
  ASSERT_TRUE(config);
  ASSERT_EQ(config->warnings.size(), 1U);
  EXPECT_THAT(config->warnings[0], HasSubstr("did you mean format?"));
}

TEST(Config, TheFileIsFoundUnderItsPlainPath) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rooflab-config-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "below");
  std::ofstream(folder / "rooflab.toml") << "format = \"csv\"\n";
  const std::string file = (folder / "rooflab.toml").string();
  EXPECT_EQ(find_config_file((folder / ".").string()), file);
  EXPECT_EQ(find_config_file((folder / "below" / "." / "..").string()), file);
  EXPECT_EQ(find_config_file((folder / "below").string()), file);
  std::filesystem::remove_all(folder);
}

TEST(Config, ABadValueNamesItsOrigin) {
  const auto config = resolve_config(sources("format = \"jsn\""));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::kUsage);
  EXPECT_EQ(config.error().where, "rooflab.toml");
  EXPECT_EQ(config.error().hint, "did you mean json?");
}

TEST(Config, BrokenTomlIsAnErrorWithItsLine) {
  const auto config = resolve_config(sources("format = \"csv\"\nthis is not toml\n"));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().where, "rooflab.toml:2");
}

}  // namespace
}  // namespace rooflab::cli
