// SPDX-License-Identifier: Apache-2.0
// Settings and where each value comes from: flag > ROOFLAB_* in the environment > rooflab.toml >
// default.
//
//   # rooflab.toml, found in the working directory or the nearest one above it
//   format = "json"
//   [[suppress]]
//   rule = "profiler_overhead"
//   reason = "recorded with stacks on purpose"
//
// An unknown key is a warning with the nearest known one; a value out of its list is an error that
// names its origin.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/why.h"

namespace rooflab::cli {

struct SettingInfo {
  const char* key;  // in rooflab.toml; the flag is --key with dashes, the variable ROOFLAB_KEY
  const char* fallback;
  std::vector<std::string> values;  // allowed; empty = any text
  const char* help;
};
[[nodiscard]] const std::vector<SettingInfo>& settings();
[[nodiscard]] std::string flag_of(const SettingInfo& setting);         // "--full-names"
[[nodiscard]] std::string environment_of(const SettingInfo& setting);  // "ROOFLAB_FULL_NAMES"

struct SettingValue {
  std::string value;
  std::string origin;  // "--format", "ROOFLAB_FORMAT", "/path/rooflab.toml", "default"
};

struct Config {
  std::map<std::string, SettingValue> values;  // every key of settings()
  std::string file;                            // the rooflab.toml read; empty = none
  std::vector<report::Suppressed> suppressed;
  std::vector<std::string> warnings;  // about `file`

  [[nodiscard]] const std::string& get(std::string_view key) const;
  [[nodiscard]] bool is_on(std::string_view key) const { return get(key) == "true"; }
};

// `environment` returns a variable's value, empty if unset. `toml` is the file's text, `toml_path`
// its name for messages.
struct ConfigSources {
  std::map<std::string, std::string> flags;  // by key
  std::function<std::string(const std::string&)> environment;
  std::string toml_path, toml;
};
[[nodiscard]] Result<Config> resolve_config(const ConfigSources& sources);

// ROOFLAB_CONFIG, else the nearest rooflab.toml from `directory` upwards; empty if there is none.
[[nodiscard]] std::string find_config_file(const std::string& directory);

}  // namespace rooflab::cli
