// SPDX-License-Identifier: Apache-2.0
// A verb is one file src/cli/verbs/<id>.cpp with `Verb verb_<id>()`: its options and what it runs.
// Only this room reads argv and the environment, prints and exits. A verb file has no loops over
// tables: it calls the other rooms and hands their result to report.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace rooflab::cli {

// Exit statuses of every verb (DESIGN section 5).
enum Exit : int {
  kOk = 0,
  kGateFailed = 1,
  kBadUsage = 2,
  kBadInput = 3,
  kNotAvailable = 4,
  kNoVerdict = 5
};

struct Globals;  // options every verb shares: format, colour, quiet, verbose (globals.h)

// The shared output options that a verb honours; one that it would ignore is refused there.
enum OutputOptions : unsigned {
  kQuietOnly = 0,
  kFormats = 1,
  kColors = 2,
  kFullNames = 4,
  kAllOutput = kFormats | kColors | kFullNames
};

struct Verb {
  const char* id;
  const char* summary;
  // Adds options to `app` and returns what runs after parsing; the result is the exit status.
  std::function<int()> (*setup)(CLI::App& app, Globals& globals);
  unsigned output = kAllOutput;
};

std::vector<Verb> all_verbs();  // generated

}  // namespace rooflab::cli
