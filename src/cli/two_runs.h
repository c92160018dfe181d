// SPDX-License-Identifier: Apache-2.0
// The way of a verb that answers about two runs: both are read, analysed and kept.
#pragma once

#include <memory>
#include <string>

#include "cli/files.h"
#include "graph/gain.h"

namespace rooflab::cli {

struct Run {
  std::string path;
  model::Profile profile;
  analysis::Analysis analysis;  // of `profile`
  graph::Graph graph;
};

// Not moved once loaded: the parts refer to one another.
[[nodiscard]] Result<std::unique_ptr<Run>> load_run(Globals& globals, const std::string& path,
                                                    const Filters& filters);

}  // namespace rooflab::cli
