// SPDX-License-Identifier: Apache-2.0
#include "cli/files.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/programs.h"
#include "cli/suggest.h"
#include "cli/verb.h"
#include "hw/device_catalog.h"
#include "join/append_profile.h"

namespace rooflab::cli {
namespace {

// The user names the file, and the error may name a flag: both are said.
Error in_file(Error error, const std::string& path) {
  if (error.where.empty()) {
    error.where = path;
  } else if (error.where.find(path) == std::string::npos) {
    error.where = path + ", " + error.where;
  }
  return error;
}

// A range that rooflab.toml names need not be in every file; one named for this file should be.
Result<void> check_input_range(Globals& g, const model::Profile& p, const std::string& wanted) {
  if (wanted.empty()) return {};
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.spans.kind[i] == model::SpanKind::kUserRange || p.text(p.spans.name[i]) == wanted)
      names.insert(p.text(p.spans.name[i]));
  }
  if (names.count(wanted) > 0) return {};
  const std::string near = nearest(wanted, {names.begin(), names.end()});
  const std::string hint =
      near.empty() ? "`rooflab info -v` lists the ranges" : "did you mean " + near + "?";
  if (g.flags.count("input_range") > 0)
    return fail(ErrorCode::kUsage, "no range is named " + wanted, "--input-range", hint);
  warn(g, {"no range is named " + wanted, p.provenance.input, hint});
  return {};
}

class Answers {
 public:
  Answers(Globals& globals, const FilesRequest& request) : g_(globals), request_(request) {}

  int run(const AnswerOne& answer, const AnswerRanks& together) {
    auto inputs = expand_paths(request_.paths);
    if (!inputs) return print_error(g_, inputs.error());
    auto selection = selection_of(request_.filters, g_.config);
    if (!selection) return print_error(g_, selection.error());
    auto catalog = hw::DeviceCatalog::load();
    if (!catalog) return print_error(g_, catalog.error());
    files_ = inputs->size();
    several_ = files_ > 1;
    Failures failures(g_, files_);
    std::vector<std::optional<model::Profile>> held(files_);
    if (together && several_ && !request_.filters.rank) {
      hold_ranks(*inputs, held);
      const auto jobs = joined(held, *selection, *catalog);
      several_ = jobs.size() + left(*inputs) > 1;
      for (const auto& job : jobs) answer_job(*job, together, failures);
    }
    for (std::size_t i = 0; i < files_; ++i) {
      const std::string& name = (*inputs)[i].name;
      if (done_.count(name) > 0) continue;
      Result<bool> done = one((*inputs)[i], held[i], *selection, *catalog, answer);
      held[i].reset();
      if (done) {
        answered_ += *done ? 1 : 0;
        continue;
      }
      failures.add(name, done.error());
    }
    return finish(failures);
  }

 private:
  using Held = std::vector<std::optional<model::Profile>>;

  // Reads on while files are ranks of a job; the rest is read when its turn comes, and so is a file
  // that cannot be read.
  void hold_ranks(const std::vector<importers::Input>& inputs, Held& held) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto profile = load_profile(g_, inputs[i]);
      if (!profile) continue;
      name_as_given(*profile, inputs[i].name);
      held[i] = std::move(*profile);
      if (held[i]->rank.rank < 0 || held[i]->rank.world_size <= 1) return;
    }
  }

  // The jobs among the files; why others are none is a warning.
  std::vector<std::unique_ptr<LoadedRanks>> joined(Held& held, const analysis::Selection& selection,
                                                   const hw::DeviceCatalog& catalog) {
    std::vector<std::unique_ptr<LoadedRanks>> out;
    for (const std::vector<std::size_t>& group : jobs_among(held)) {
      progress(g_, "analysing " + std::to_string(group.size()) + " ranks together");
      auto job = join_ranks(held, group, catalog, selection);
      clear_progress(g_);
      if (!job) {
        warn(g_, {job.error().message, job.error().where, job.error().hint});
        continue;
      }
      for (const model::JobRank& rank : (*job)->job.ranks) done_.insert(rank.input);
      out.push_back(std::move(*job));
    }
    return out;
  }

  [[nodiscard]] std::size_t left(const std::vector<importers::Input>& inputs) const {
    return static_cast<std::size_t>(
        std::count_if(inputs.begin(), inputs.end(),
                      [&](const importers::Input& input) { return done_.count(input.name) == 0; }));
  }

  void answer_job(const LoadedRanks& job, const AnswerRanks& together, Failures& failures) {
    const std::string name = job.job.ranks[0].input;
    const Result<Answer> a = together(job);
    if (!a) {
      failures.add(name, a.error());
      return;
    }
    no_verdict_ = no_verdict_ || a->no_verdict;
    std::vector<const model::Profile*> profiles;
    for (const model::Profile& p : job.profiles) profiles.push_back(&p);
    show(*a, profiles, name + " and its other ranks");
    ++answered_;
  }

  // False: left out by --rank.
  Result<bool> one(const importers::Input& input, std::optional<model::Profile>& held,
                   const analysis::Selection& selection, const hw::DeviceCatalog& catalog,
                   const AnswerOne& answer) {
    const std::string& path = input.name;
    Loaded loaded;
    loaded.files = files_;
    if (held) {
      loaded.profile = std::move(*held);
    } else {
      RL_TRY(loaded.profile, load_profile(g_, input));
    }
    const auto wanted = request_.filters.rank;
    if (wanted && loaded.profile.rank.rank != *wanted) return false;
    if (!request_.accepts_empty) RL_CHECK_OK(holds_events(loaded.profile));
    name_as_given(loaded.profile, path);
    if (request_.analyse) {
      RL_CHECK_OK(check_input_range(g_, loaded.profile, selection.input_range));
      progress(g_, "analysing " + path);
      RL_TRY(loaded.analysis, analysis::analyse(loaded.profile, catalog, selection));
      clear_progress(g_);
      tell_clamped_steps(selection, loaded.analysis->units.units.size(), path);
    }
    RL_TRY(const Answer a, answer(loaded));
    no_verdict_ = no_verdict_ || a.no_verdict;
    show(a, {&loaded.profile}, path);
    return true;
  }

  // A run file knows what it was made from; the user asks about the run file.
  static void name_as_given(model::Profile& profile, const std::string& path) {
    model::Provenance& from = profile.provenance;
    if (from.input == path) return;
    from.metadata.emplace_back("imported_from", from.input);
    from.input = path;
  }

  void tell_clamped_steps(const analysis::Selection& selection, std::size_t units,
                          const std::string& path) {
    if (!selection.steps || selection.steps->second < static_cast<std::int64_t>(units)) return;
    warn(g_, {"--steps reaches beyond the last unit, " + std::to_string(units - 1), path, ""});
  }

  void show(const Answer& a, const std::vector<const model::Profile*>& profiles,
            const std::string& path) {
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
        for (const model::Profile* p : profiles) inputs_.push_back(report::input_json(*p));
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

  int finish(const Failures& failures) {
    if (answered_ == 0) {
      if (failures.first()) return print_error(g_, *failures.first());
      return print_error(g_, {ErrorCode::kUsage, "no file is of that rank", "--rank",
                              "`rooflab info` shows ranks"});
    }
    if (g_.format == Format::kJson) {
      report::Json data =
          data_.size() == 1 && !several_ ? std::move(data_[0]) : report::Json::object();
      if (several_) data["files"] = std::move(data_);
      print_json(g_, request_.verb, std::move(inputs_), std::move(data));
    }
    std::fflush(stdout);  // so that the last line is the last one where both streams meet
    failures.sum_up();
    return no_verdict_ ? kNoVerdict : kOk;
  }

  Globals& g_;
  const FilesRequest& request_;
  report::Json inputs_ = report::Json::array();
  report::Json data_ = report::Json::array();
  int answered_ = 0;
  std::size_t files_ = 1;
  std::set<std::string> done_;  // files answered as ranks of a job
  bool several_ = false;
  bool no_verdict_ = false;
};

}  // namespace

void Failures::add(const std::string& path, Error error) {
  error = in_file(std::move(error), path);
  ++failed_;
  if (error.code == ErrorCode::kUnreadable) ++unreadable_;
  if (inputs_ > 1) warn(g_, {error.message, error.where, error.hint});
  if (!first_) first_ = std::move(error);
}

void Failures::sum_up() const {
  if (failed_ == 0) return;
  note(g_, std::to_string(failed_) + " of " + std::to_string(inputs_) + " inputs could not be " +
               (unreadable_ == failed_ ? "read" : "used"));
}

Result<void> holds_events(const model::Profile& profile) {
  if (profile.spans.size() > 0 || profile.work.size() > 0) return {};
  if (profile.measured.size() > 0 || profile.samples.size() > 0) return {};
  return fail(ErrorCode::kInconclusive, "the file holds neither device work nor host activity", "",
              "was anything run while the recorder was on?");
}

bool forbids_verdict(const model::Profile& profile) {
  return profile.hygiene.forbids(model::Claim::kTimes) ||
         profile.hygiene.forbids(model::Claim::kCoverage);
}

Result<model::Profile> load_profile(const Globals& g, const importers::Input& input) {
  importers::ImportOptions options;
  const std::string& threads = g.config.get("threads");
  std::from_chars(threads.data(), threads.data() + threads.size(), options.threads);
  options.nsys = find_program("nsys");
  const auto load = [&](const std::string& path) -> Result<model::Profile> {
    progress(g, "reading " + path);
    auto profile = importers::import_file(path, options);
    clear_progress(g);
    if (!profile) return tl::unexpected<Error>(in_file(profile.error(), path));
    return profile;
  };
  if (input.paths.size() == 1) return load(input.paths[0]);
  model::Builder builder(input.name);
  for (const std::string& path : input.paths) {
    RL_TRY(const model::Profile part, load(path));
    join::append_profile(builder, part);
  }
  return std::move(builder).build();
}

Result<std::vector<importers::Input>> expand_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    RL_TRY(const std::vector<std::string> inputs, importers::expand_inputs(path));
    out.insert(out.end(), inputs.begin(), inputs.end());
  }
  return importers::group_inputs(out);
}

std::vector<std::string> names_of(const std::vector<importers::Input>& inputs) {
  std::vector<std::string> out;
  for (const importers::Input& input : inputs) out.push_back(input.name);
  return out;
}

std::vector<std::string> files_of(const std::vector<importers::Input>& inputs) {
  std::vector<std::string> out;
  for (const importers::Input& input : inputs)
    out.insert(out.end(), input.paths.begin(), input.paths.end());
  return out;
}

int answer_files(Globals& globals, const FilesRequest& request, const AnswerOne& answer,
                 const AnswerRanks& together) {
  return Answers(globals, request).run(answer, together);
}

}  // namespace rooflab::cli
