// SPDX-License-Identifier: Apache-2.0
// What every verb shares: output options, resolved settings, and the two streams. stdout is the
// result and nothing else; progress, warnings and hints go to stderr and are off with -q.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/config.h"
#include "report/envelope.h"
#include "report/style.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rooflab::cli {

enum class Format { kTable, kJson, kCsv, kMarkdown };

struct Globals {
  std::map<std::string, std::string> flags;  // settings given as flags
  int verbosity = 0;                         // -v adds one
  bool quiet = false;
  std::vector<std::string> command;  // what stood after `--`
  bool has_command = false;
  std::string verb;      // for the hint of errors that bring none
  std::string conflict;  // two flags that cannot both be honoured; empty = none
  // Options that take one of a list, for shell completion.
  std::map<const CLI::Option*, std::vector<std::string>> choices;

  Config config;  // after resolve()
  Format format = Format::kTable;
  report::Style style;
  std::vector<report::Warning> warnings;  // given so far, for the JSON envelope
};

[[nodiscard]] const char* version();

// Adds -v, -q and, of --format, --json, --color, --full-names, what `options` (OutputOptions)
// names.
void add_output_options(CLI::App& app, Globals& globals, unsigned options);
// The option accepts these values only; completion offers them.
void allow_only(CLI::Option* option, std::vector<std::string> values, Globals& globals);
// Reads environment and rooflab.toml, and fills in config, format and style.
[[nodiscard]] Result<void> resolve(Globals& globals);

// Printed on stdout as they are.
void print(std::string_view text);
void warn(Globals& globals, report::Warning warning);
void note(const Globals& globals, std::string_view text);  // a line on stderr
// One line on stderr that the next note or clear_progress() wipes; only on a terminal.
void progress(const Globals& globals, std::string_view text);
void clear_progress(const Globals& globals);
// Message, place and hint (a general one where the error brings none) on stderr; with --json also
// the error document on stdout. Returns the exit status.
int print_error(const Globals& globals, const Error& error);
[[nodiscard]] int exit_of(ErrorCode code);
// Prints `data` in its envelope.
void print_json(const Globals& globals, std::string_view verb, report::Json inputs,
                report::Json data);

}  // namespace rooflab::cli
