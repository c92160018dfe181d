// SPDX-License-Identifier: Apache-2.0
// `rooflab export FILE --to chrome|csv [-o OUT]`: the profile in another tool's form, on stdout
// unless -o is given.
#include "report/export.h"

#include <algorithm>
#include <memory>

#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "cli/write_file.h"

namespace rooflab::cli {
namespace {

struct Options {
  std::string path, to, output;
  bool force = false;
};

std::vector<std::string> ids() {
  std::vector<std::string> out;
  for (const report::Export& e : report::all_exports()) out.emplace_back(e.id);
  return out;
}

Result<void> export_file(const Globals& g, const Options& o) {
  const auto exports = report::all_exports();
  const auto it = std::find_if(exports.begin(), exports.end(),
                               [&](const report::Export& e) { return e.id == o.to; });
  if (it == exports.end())
    return fail(ErrorCode::kUsage, "no such form", "--to", "rooflab export --help");
  RL_TRY(const std::vector<importers::Input> inputs, expand_paths({o.path}));
  if (inputs.size() != 1)
    return fail(ErrorCode::kUsage, "export takes one file at a time", o.path,
                "the folder holds " + std::to_string(inputs.size()) + "; name one of them");
  const bool to_stdout = o.output.empty() || o.output == "-";
  if (!to_stdout) RL_CHECK_OK(check_output(o.output, files_of(inputs), {.everything = o.force}));
  RL_TRY(const model::Profile profile, load_profile(g, inputs[0]));
  const auto write = [&](const report::Sink& sink) { return it->write(profile, sink); };
  if (to_stdout) return write_stdout(write);
  RL_CHECK_OK(write_file(o.output, write));
  note(g, "wrote " + o.output);
  return {};
}

}  // namespace

Verb verb_export() {
  return {"export", "write a profile for another tool",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto o = std::make_shared<Options>();
            app.add_option("FILE", o->path, "trace or run file; - is stdin")->required();
            CLI::Option* to = app.add_option("--to", o->to, "chrome or csv");
            to->type_name("FORM")->required();
            allow_only(to, ids(), g);
            app.add_option("-o,--output", o->output, "file to write (stdout)");
            app.add_flag("--force", o->force, "replace an existing output file");
            app.footer("Example:\n  rooflab export run.rlab --to chrome -o trace.json");
            return [o, &g] {
              const auto done = export_file(g, *o);
              return done ? static_cast<int>(kOk) : print_error(g, done.error());
            };
          },
          kQuietOnly};
}

}  // namespace rooflab::cli
