// SPDX-License-Identifier: Apache-2.0
// The command line as a whole: splits off what follows `--`, builds the verbs from the registry,
// parses, and turns every mistake into a sentence with a suggestion. Refuses unknown verbs, options
// and values with exit status 2.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/globals.h"
#include "cli/verb.h"

namespace rooflab::cli {

// The parser with every verb set up; `run` maps a verb's id to what it does.
struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::map<std::string, std::function<int()>> run;
};
[[nodiscard]] CommandLine build_command_line(Globals& globals);

// Everything main() does; returns the exit status. `arguments` without the program's name.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments);

}  // namespace rooflab::cli
