// SPDX-License-Identifier: Apache-2.0
// `rooflab diff A B`: what changed between two runs of one program, for each unit of work. Exit 0
// with an answer, 5 when the runs cannot be compared or noise hides the change.
#include "report/diff.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/two_runs.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

struct Options {
  std::string before, after;
  Filters filters;
  double least_percent = 1;
};

int run(const Options& o, Globals& g) {
  const auto before = load_run(g, o.before, o.filters);
  if (!before) return print_error(g, before.error());
  const auto after = load_run(g, o.after, o.filters);
  if (!after) return print_error(g, after.error());
  const Run& a = **before;
  const Run& b = **after;
  report::DiffReport r;
  r.before = o.before;
  r.after = o.after;
  r.units_before = static_cast<double>(a.analysis.window.unit_count);
  r.units_after = static_cast<double>(b.analysis.window.unit_count);
  r.comparison = compare::compare(graph::Predictor(a.graph, true), graph::Predictor(b.graph, true),
                                  o.least_percent / 100);
  switch (g.format) {
    case Format::kTable:
    case Format::kMarkdown:
      print(g.format == Format::kTable ? report::diff_text(r, g.style)
                                       : report::to_markdown(report::diff_table(r)));
      break;
    case Format::kCsv:
      print(report::to_csv(report::diff_table(r)));
      break;
    case Format::kJson:
      print_json(g, "diff", {report::input_json(a.profile), report::input_json(b.profile)},
                 report::diff_json(r));
      break;
  }
  const bool unclear = r.comparison.answer().direction == compare::Direction::kUnclear;
  return r.comparison.refused || unclear ? kNoVerdict : kOk;
}

}  // namespace

Verb verb_diff() {
  return {"diff", "say what changed between two runs",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto o = std::make_shared<Options>();
            app.add_option("BEFORE", o->before, "trace or run file of the first run")->required();
            app.add_option("AFTER", o->after, "of the second run")->required();
            app.add_option("--least", o->least_percent, "changes below this are called none, in %")
                ->check(CLI::Range(0.0, 100.0));
            add_filters(app, o->filters, g, NameFilter::kRefused);
            app.footer("Example:\n  rooflab diff before.json.gz after.json.gz");
            return [o, &g] { return run(*o, g); };
          }};
}

}  // namespace rooflab::cli
