// SPDX-License-Identifier: Apache-2.0
// `rooflab gate BASE RUN --fail-if 'step_time>+5%'`: for CI. Exit 0 where no condition is met, 1
// where one is, 5 where one cannot be decided and none is met.
#include "compare/gate.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/two_runs.h"
#include "cli/verb.h"
#include "report/gate.h"

namespace rooflab::cli {
namespace {

struct Options {
  std::string base, run;
  std::vector<std::string> conditions;
  Filters filters;
};

int run(const Options& o, Globals& g) {
  std::vector<compare::Condition> conditions;
  for (const std::string& text : o.conditions) {
    auto condition = compare::parse_condition(text);
    if (!condition) return print_error(g, condition.error());
    conditions.push_back(std::move(*condition));
  }
  const auto base = load_run(g, o.base, o.filters);
  if (!base) return print_error(g, base.error());
  const auto now = load_run(g, o.run, o.filters);
  if (!now) return print_error(g, now.error());
  constexpr double kLeastEffect = 0.01;
  report::GateReport r;
  r.comparison = compare::compare(graph::Predictor((*base)->graph, true),
                                  graph::Predictor((*now)->graph, true), kLeastEffect);
  for (const auto& condition : conditions) r.judged.push_back(judge(condition, r.comparison));
  if (g.format == Format::kJson) {
    print_json(g, "gate",
               {report::input_json((*base)->profile), report::input_json((*now)->profile)},
               report::gate_json(r));
  } else if (g.format == Format::kTable) {
    print(report::gate_text(r, g.style));
  } else {
    const report::Table table = report::gate_table(r);
    print(g.format == Format::kCsv ? report::to_csv(table) : report::to_markdown(table));
  }
  switch (report::outcome_of(r)) {
    case compare::Met::kNo:
      return kOk;
    case compare::Met::kYes:
      return kGateFailed;
    case compare::Met::kUndecided:
      break;
  }
  return kNoVerdict;
}

}  // namespace

Verb verb_gate() {
  return {"gate", "fail where a run is worse than its base",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto o = std::make_shared<Options>();
            app.add_option("BASE", o->base, "trace or run file to hold against")->required();
            app.add_option("RUN", o->run, "the run that is judged")->required();
            app.add_option("--fail-if", o->conditions, "such as 'step_time>+5%'; may be repeated")
                ->required()
                ->allow_extra_args(false);
            add_filters(app, o->filters, g, NameFilter::kRefused);
            app.footer(
                "Metrics: step_time (without the recorder's cost), step_time.recorded,\n"
                "device_busy_per_unit.\n\nExample:\n  rooflab gate base.rlab run.json.gz "
                "--fail-if 'step_time>+5%'");
            return [o, &g] { return run(*o, g); };
          }};
}

}  // namespace rooflab::cli
