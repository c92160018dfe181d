// SPDX-License-Identifier: Apache-2.0
// `rooflab config` (or config --show): every setting, its value, and where the value comes from.
#include <nlohmann/json.hpp>

#include "cli/globals.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

report::Table config_table(const Config& config) {
  report::Table t;
  t.id = "config";
  t.columns = {{"key", "setting", report::Unit::kText},
               {"value", "value", report::Unit::kText},
               {"origin", "from", report::Unit::kText},
               {"help", "what it does", report::Unit::kText}};
  for (const SettingInfo& setting : settings()) {
    const SettingValue& value = config.values.at(setting.key);
    t.rows.push_back(
        {std::string(setting.key), value.value, value.origin, std::string(setting.help)});
  }
  for (const report::Suppressed& s : config.suppressed) {
    t.rows.push_back(
        {"suppress " + s.rule, s.reason, config.file, std::string("silences this finding")});
  }
  t.notes = {config.file.empty() ? "no rooflab.toml here or above" : "read " + config.file};
  return t;
}

int show(const Globals& g) {
  const report::Table table = config_table(g.config);
  switch (g.format) {
    case Format::kJson:
      print_json(g, "config", report::Json::array(), report::to_json(table));
      break;
    case Format::kCsv:
      print(report::to_csv(table));
      break;
    case Format::kMarkdown:
      print(report::to_markdown(table));
      break;
    case Format::kTable:
      print(report::to_terminal(table, g.style));
      break;
  }
  return kOk;
}

}  // namespace

Verb verb_config() {
  return {"config", "show settings and their origin",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            app.add_flag("--show")->description("show the settings (what config does anyway)");
            app.footer(
                "Example:\n  rooflab config\nFlags win over ROOFLAB_* variables, those over "
                "rooflab.toml:\n"
                "  format = \"json\"\n  [[suppress]]\n  rule = \"profiler_overhead\"\n  reason = "
                "\"known\"");
            return [&g] { return show(g); };
          }};
}

}  // namespace rooflab::cli
