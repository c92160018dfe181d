// SPDX-License-Identifier: Apache-2.0
#include "cli/two_runs.h"

#include "cli/globals.h"
#include "hw/device_catalog.h"

namespace rooflab::cli {

Result<std::unique_ptr<Run>> load_run(Globals& g, const std::string& path, const Filters& filters) {
  auto run = std::make_unique<Run>();
  run->path = path;
  RL_TRY(const std::vector<importers::Input> inputs, expand_paths({path}));
  if (inputs.size() != 1)
    return fail(ErrorCode::kUsage, "a run is one recording", path,
                "the folder holds " + std::to_string(inputs.size()) + "; name one of them");
  RL_TRY(run->profile, load_profile(g, inputs[0]));
  const auto here = [&](Error error) {
    if (error.where.empty()) error.where = path;
    return tl::unexpected<Error>(std::move(error));
  };
  if (auto events = holds_events(run->profile); !events) return here(events.error());
  run->profile.provenance.input = path;
  RL_TRY(const analysis::Selection selection, selection_of(filters, g.config));
  RL_TRY(const hw::DeviceCatalog catalog, hw::DeviceCatalog::load());
  progress(g, "analysing " + path);
  auto analysis = analysis::analyse(run->profile, catalog, selection);
  clear_progress(g);
  if (!analysis) return here(analysis.error());
  run->analysis = std::move(*analysis);
  run->graph = graph::build_graph(run->analysis);
  return run;
}

}  // namespace rooflab::cli
