// SPDX-License-Identifier: Apache-2.0
// `rooflab import FILE... -o RUN`: reads once, keeps a run file that loads fast. Several inputs go
// into a folder. Takes what why takes: one of several that cannot be read is a warning, and a file
// without events is refused.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "model/run_file.h"

namespace rooflab::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string output;
  bool force = false;
};

Result<report::Json> import_one(const Globals& g, const importers::Input& input,
                                const std::string& output) {
  RL_TRY(const model::Profile profile, load_profile(g, input));
  RL_CHECK_OK(holds_events(profile));
  RL_CHECK_OK(model::write_run(profile, output));
  return report::Json{{"input", input.name},
                      {"output", output},
                      {"span_count", profile.spans.size()},
                      {"device_work_count", profile.work.size()}};
}

// All inputs, or the first error where nothing could be imported or the output fails.
Result<report::Json> import_all(Globals& g, const Options& o) {
  RL_TRY(const std::vector<importers::Input> inputs, expand_paths(o.paths));
  if (o.output == "-")
    return fail(ErrorCode::kUsage, "a run file is not written to stdout", "-o -",
                "name a file: -o run.rlab");
  RL_TRY(const std::vector<std::string> outputs, run_files(names_of(inputs), o.output));
  for (const std::string& output : outputs) {
    RL_CHECK_OK(check_output(output, files_of(inputs), {.run_files = true, .everything = o.force}));
  }
  report::Json runs = report::Json::array();
  Failures failures(g, inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Result<report::Json> run = import_one(g, inputs[i], outputs[i]);
    if (run) {
      note(g, "wrote " + outputs[i]);
      runs.push_back(std::move(*run));
      continue;
    }
    if (run.error().code == ErrorCode::kOutput) return run;
    failures.add(inputs[i].name, run.error());
  }
  if (runs.empty()) return tl::unexpected<Error>(*failures.first());
  failures.sum_up();
  return runs;
}

int run(const Options& o, Globals& g) {
  if (const auto form = g.flags.find("format"); form != g.flags.end() && form->second != "json") {
    return print_error(g, {ErrorCode::kUsage, "import prints no " + form->second, "--format",
                           "--json lists what was written"});
  }
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
        app.add_flag("--force", o->force, "replace an output that is no run file");
        app.footer(
            "Example:\n  rooflab import trace.json.gz -o trace.rlab\n  rooflab why trace.rlab");
        return [o, &g] { return run(*o, g); };
      },
      kFormats};
}

}  // namespace rooflab::cli
