// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "cli/suggest.h"

namespace rooflab::cli {
namespace {

std::string spelled(const char* key, char separator, bool upper) {
  std::string out(key);
  for (char& c : out) {
    if (c == '_') c = separator;
    if (upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  for (const SettingInfo& setting : settings()) keys.emplace_back(setting.key);
  return keys;
}

Result<void> assign(Config& config, const SettingInfo& setting, const std::string& value,
                    const std::string& origin) {
  const auto& allowed = setting.values;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    return fail(ErrorCode::kUsage, "\"" + value + "\" is no value of " + setting.key, origin,
                did_you_mean(value, allowed));
  }
  config.values[setting.key] = {value, origin};
  return {};
}

std::string scalar_text(const toml::node& node) {
  if (const auto text = node.value<std::string>()) return *text;
  if (const auto flag = node.value<bool>(); node.is_boolean() && flag)
    return *flag ? "true" : "false";
  if (const auto number = node.value<std::int64_t>(); node.is_integer() && number)
    return std::to_string(*number);
  return {};
}

void read_suppressions(const toml::node& node, Config& config) {
  const toml::array* rows = node.as_array();
  if (rows == nullptr) {
    config.warnings.emplace_back("suppress must be a list of tables: [[suppress]]");
    return;
  }
  for (const toml::node& row : *rows) {
    const toml::table* table = row.as_table();
    const std::string rule = table != nullptr ? (*table)["rule"].value_or(std::string()) : "";
    const std::string reason = table != nullptr ? (*table)["reason"].value_or(std::string()) : "";
    if (rule.empty() || reason.empty()) {
      config.warnings.emplace_back("[[suppress]] needs rule and reason; ignored");
    } else {
      config.suppressed.push_back({rule, reason});
    }
  }
}

Result<void> read_toml(const ConfigSources& sources, Config& config) {
  if (sources.toml_path.empty()) return {};
  config.file = sources.toml_path;
  const toml::parse_result parsed = toml::parse(sources.toml, sources.toml_path);
  if (!parsed) {
    std::ostringstream where;
    where << sources.toml_path << ":" << parsed.error().source().begin.line;
    return fail(ErrorCode::kUsage,
                "the configuration is no valid TOML: " + std::string(parsed.error().description()),
                where.str(), "see `rooflab config --help` for an example");
  }
  for (const auto& [key, node] : parsed.table()) {
    const std::string name(key.str());
    if (name == "suppress") {
      read_suppressions(node, config);
      continue;
    }
    const auto& all = settings();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const SettingInfo& s) { return name == s.key; });
    if (it == all.end()) {
      config.warnings.push_back("unknown key \"" + name + "\"; " +
                                did_you_mean(name, setting_keys()));
      continue;
    }
    RL_CHECK_OK(assign(config, *it, scalar_text(node), sources.toml_path));
  }
  return {};
}

}  // namespace

const std::vector<SettingInfo>& settings() {
  static const std::vector<SettingInfo> all = {
      {"format", "table", {"table", "json", "csv", "md"}, "how results are printed"},
      {"color",
       "auto",
       {"auto", "always", "never"},
       "colours (auto: on a terminal, not with NO_COLOR)"},
      {"full_names", "false", {"true", "false"}, "kernel names with all template arguments"},
      {"step_range", "", {}, "the user range that marks one unit of work"},
      {"input_range", "", {}, "a user range that is the input pipeline"},
      {"threads", "0", {}, "threads for reading (0: all cores)"},
  };
  return all;
}

std::string flag_of(const SettingInfo& setting) { return "--" + spelled(setting.key, '-', false); }
std::string environment_of(const SettingInfo& setting) {
  return "ROOFLAB_" + spelled(setting.key, '_', true);
}

const std::string& Config::get(std::string_view key) const {
  static const std::string none;
  const auto it = values.find(std::string(key));
  return it == values.end() ? none : it->second.value;
}

Result<Config> resolve_config(const ConfigSources& sources) {
  Config config;
  for (const SettingInfo& setting : settings())
    config.values[setting.key] = {setting.fallback, "default"};
  RL_CHECK_OK(read_toml(sources, config));
  for (const SettingInfo& setting : settings()) {
    if (const std::string value = sources.environment(environment_of(setting)); !value.empty()) {
      RL_CHECK_OK(assign(config, setting, value, environment_of(setting)));
    }
    if (const auto flag = sources.flags.find(setting.key); flag != sources.flags.end()) {
      RL_CHECK_OK(assign(config, setting, flag->second, flag_of(setting)));
    }
  }
  return config;
}

std::string find_config_file(const std::string& directory) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::absolute(directory, error).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();  // "/a/b/." became "/a/b/"
  while (!error && !at.empty()) {
    const std::filesystem::path file = at / "rooflab.toml";
    if (std::filesystem::is_regular_file(file, error)) return file.string();
    error.clear();
    if (at == at.root_path()) break;
    at = at.parent_path();
  }
  return {};
}

}  // namespace rooflab::cli
