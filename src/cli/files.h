// SPDX-License-Identifier: Apache-2.0
// The way of a verb that answers about files: expand directories, read, analyse, print, and pick
// the exit status. One file is in memory at a time, or the ranks of a job together. A file that
// cannot be read is a warning as long as another one can.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "base/result.h"
#include "cli/filters.h"
#include "cli/globals.h"
#include "cli/ranks.h"
#include "importers/importer.h"
#include "report/table.h"

namespace rooflab::cli {

struct Loaded {
  model::Profile profile;
  std::optional<analysis::Analysis> analysis;
  std::size_t files = 1;  // of the same request
};

// What a verb says about one file, in each form; only the one asked for is built.
struct Answer {
  std::function<std::string()> text;
  std::function<report::Json()> json;
  std::function<report::Table()> table;   // csv
  std::function<std::string()> markdown;  // empty: the table's
  bool no_verdict = false;                // exit 5
};

// Inputs that could not be answered: warnings while another one can be, counted at the end.
class Failures {
 public:
  Failures(Globals& globals, std::size_t inputs) : g_(globals), inputs_(inputs) {}
  void add(const std::string& path, Error error);  // a warning, unless it is the only input
  [[nodiscard]] const std::optional<Error>& first() const { return first_; }
  void sum_up() const;  // "1 of 2 inputs could not be read" on stderr

 private:
  Globals& g_;
  std::size_t inputs_ = 0, failed_ = 0, unreadable_ = 0;
  std::optional<Error> first_;
};

using AnswerOne = std::function<Result<Answer>(const Loaded&)>;
using AnswerRanks = std::function<Result<Answer>(const LoadedRanks&)>;

struct FilesRequest {
  std::string verb;
  std::vector<std::string> paths;
  Filters filters;
  bool analyse = true;
  bool accepts_empty = false;  // a file without events is an answer too
};

// Files that are ranks of one job are answered together where `together` is given.
[[nodiscard]] int answer_files(Globals& globals, const FilesRequest& request,
                               const AnswerOne& answer, const AnswerRanks& together = {});
// True if hygiene lets no verdict stand: times or coverage are not to be trusted.
[[nodiscard]] bool forbids_verdict(const model::Profile& profile);
// Error: neither host activity nor device work, so that there is nothing to analyse.
[[nodiscard]] Result<void> holds_events(const model::Profile& profile);
// Reads one file, or the files of one recording as one, with a progress line.
[[nodiscard]] Result<model::Profile> load_profile(const Globals& globals,
                                                  const importers::Input& input);
// All paths with directories expanded, and files of one recording together; an unreadable directory
// is an Error.
[[nodiscard]] Result<std::vector<importers::Input>> expand_paths(
    const std::vector<std::string>& paths);
// What the inputs are called, and all their files.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<importers::Input>& inputs);
[[nodiscard]] std::vector<std::string> files_of(const std::vector<importers::Input>& inputs);

}  // namespace rooflab::cli
