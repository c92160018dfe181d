// SPDX-License-Identifier: Apache-2.0
#include "cli/files.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "hw/device_catalog.h"
#include "importers/importer.h"

namespace rooflab::cli {
namespace {

class Answers {
 public:
  Answers(Globals& globals, const FilesRequest& request) : g_(globals), request_(request) {}

  int run(const std::function<Result<Answer>(const Loaded&)>& answer) {
    auto paths = expand_paths(request_.paths);
    if (!paths) return print_error(g_, paths.error());
    auto selection = selection_of(request_.filters, g_.config);
    if (!selection) return print_error(g_, selection.error());
    auto catalog = hw::DeviceCatalog::load();
    if (!catalog) return print_error(g_, catalog.error());
    files_ = paths->size();
    several_ = files_ > 1;
    for (const std::string& path : *paths) {
      Result<bool> done = one(path, *selection, *catalog, answer);
      if (done) {
        answered_ += *done ? 1 : 0;
        continue;
      }
      if (!several_) return print_error(g_, done.error());
      const Error& e = done.error();
      warn(g_, {e.message, e.where.empty() ? path : e.where, e.hint});
      if (!first_error_) first_error_ = e;
    }
    return finish();
  }

 private:
  // False: left out by --rank.
  Result<bool> one(const std::string& path, const analysis::Selection& selection,
                   const hw::DeviceCatalog& catalog,
                   const std::function<Result<Answer>(const Loaded&)>& answer) {
    Loaded loaded;
    loaded.files = files_;
    RL_TRY(loaded.profile, load_profile(g_, path));
    const auto wanted = request_.filters.rank;
    if (wanted && loaded.profile.rank.rank != *wanted) return false;
    if (request_.analyse) {
      progress(g_, "analysing " + path);
      RL_TRY(loaded.analysis, analysis::analyse(loaded.profile, catalog, selection));
      clear_progress(g_);
    }
    RL_TRY(const Answer a, answer(loaded));
    no_verdict_ = no_verdict_ || a.no_verdict;
    show(a, loaded.profile, path);
    return true;
  }

  void show(const Answer& a, const model::Profile& profile, const std::string& path) {
    switch (g_.format) {
      case Format::kTable:
        if (several_) print((answered_ > 0 ? "\n" : "") + ("== " + path) + "\n");
        print(a.text());
        break;
      case Format::kMarkdown:
        print(a.markdown ? a.markdown() : report::to_markdown(a.table()));
        break;
      case Format::kCsv:
        show_csv(a.table(), path);
        break;
      case Format::kJson:
        inputs_.push_back(report::input_json(profile));
        data_.push_back(a.json());
        break;
    }
  }

  // One header for all files; with several, the first column says which one a row is from.
  void show_csv(report::Table table, const std::string& path) {
    const bool has_input = !table.columns.empty() && table.columns[0].key == "input";
    if (several_ && !has_input) {
      table.columns.insert(table.columns.begin(), {"input", "input", report::Unit::kText});
      for (auto& row : table.rows) row.insert(row.begin(), path);
    }
    std::string text = report::to_csv(table);
    if (answered_ > 0) text.erase(0, text.find('\n') + 1);
    print(text);
  }

  int finish() {
    if (answered_ == 0) {
      if (first_error_) return print_error(g_, *first_error_);
      return print_error(g_, {ErrorCode::kUsage, "no file is of that rank", "--rank",
                              "`rooflab info` shows ranks"});
    }
    if (g_.format == Format::kJson) {
      report::Json data =
          data_.size() == 1 && !several_ ? std::move(data_[0]) : report::Json::object();
      if (several_) data["files"] = std::move(data_);
      print_json(g_, request_.verb, std::move(inputs_), std::move(data));
    }
    return no_verdict_ ? kNoVerdict : kOk;
  }

  Globals& g_;
  const FilesRequest& request_;
  report::Json inputs_ = report::Json::array();
  report::Json data_ = report::Json::array();
  std::optional<Error> first_error_;
  int answered_ = 0;
  std::size_t files_ = 1;
  bool several_ = false;
  bool no_verdict_ = false;
};

}  // namespace

bool forbids_verdict(const model::Profile& profile) {
  return profile.hygiene.forbids(model::Claim::kTimes) ||
         profile.hygiene.forbids(model::Claim::kCoverage);
}

Result<model::Profile> load_profile(const Globals& g, const std::string& path) {
  progress(g, "reading " + path);
  importers::ImportOptions options;
  const std::string& threads = g.config.get("threads");
  std::from_chars(threads.data(), threads.data() + threads.size(), options.threads);
  auto profile = importers::import_file(path, options);
  clear_progress(g);
  return profile;
}

Result<std::vector<std::string>> expand_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    RL_TRY(const std::vector<std::string> inputs, importers::expand_inputs(path));
    out.insert(out.end(), inputs.begin(), inputs.end());
  }
  return out;
}

int answer_files(Globals& globals, const FilesRequest& request,
                 const std::function<Result<Answer>(const Loaded&)>& answer) {
  return Answers(globals, request).run(answer);
}

}  // namespace rooflab::cli
