// SPDX-License-Identifier: Apache-2.0
// `rooflab import FILE... -o RUN`: reads once, keeps a run file that loads fast. Several inputs go
// into a folder.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/verb.h"
#include "model/run_file.h"

namespace rooflab::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string output;
};

// "trace.json.gz" in a folder becomes "trace.rlab".
std::string run_name(const std::string& folder, const std::string& input) {
  const std::string name = std::filesystem::path(input).filename().string();
  return (std::filesystem::path(folder) / (name.substr(0, name.find('.')) + ".rlab")).string();
}

Result<report::Json> import_one(const Globals& g, const std::string& input,
                                const std::string& output) {
  RL_TRY(const model::Profile profile, load_profile(g, input));
  RL_CHECK_OK(model::write_run(profile, output));
  return report::Json{{"input", input},
                      {"output", output},
                      {"span_count", profile.spans.size()},
                      {"device_work_count", profile.work.size()}};
}

Result<report::Json> import_all(const Globals& g, const Options& o) {
  RL_TRY(const std::vector<std::string> inputs, expand_paths(o.paths));
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(o.output, ignored);
  if (inputs.size() > 1 && !folder) {
    return fail(ErrorCode::kUsage, "several inputs need a folder", "-o " + o.output,
                "mkdir it first");
  }
  report::Json runs = report::Json::array();
  for (const std::string& input : inputs) {
    RL_TRY(report::Json run, import_one(g, input, folder ? run_name(o.output, input) : o.output));
    note(g, "wrote " + run["output"].get<std::string>());
    runs.push_back(std::move(run));
  }
  return runs;
}

int run(const Options& o, const Globals& g) {
  auto runs = import_all(g, o);
  if (!runs) return print_error(g, runs.error());
  if (g.format == Format::kJson) {
    report::Json data = {{"runs", std::move(*runs)}};
    print_json(g, "import", report::Json::array(), std::move(data));
  }
  return kOk;
}

}  // namespace

Verb verb_import() {
  return {
      "import", "turn traces into a run file",
      [](CLI::App& app, Globals& g) -> std::function<int()> {
        auto o = std::make_shared<Options>();
        app.add_option("FILE", o->paths, "traces or folders; - is stdin")->required();
        app.add_option("-o,--output", o->output, "the run file, or an existing folder")->required();
        app.footer(
            "Example:\n  rooflab import trace.json.gz -o trace.rlab\n  rooflab why trace.rlab");
        return [o, &g] { return run(*o, g); };
      }};
}

}  // namespace rooflab::cli
