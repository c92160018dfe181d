// SPDX-License-Identifier: Apache-2.0
// rooflab @name@: TO WRITE: what it answers, and what it refuses.
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

// Adds the options; what it returns runs after parsing and gives the exit status. No loops over tables
// here: call the other rooms and hand their result to report.
std::function<int()> setup(CLI::App& app, Globals& /*globals*/) {
  app.footer("Example:\n  rooflab @name@ trace.json.gz");
  return [] { return static_cast<int>(kNotAvailable); };
}

}  // namespace

Verb verb_@name@() { return {"@name@", "TO WRITE: the summary in --help", &setup}; }

}  // namespace rooflab::cli
