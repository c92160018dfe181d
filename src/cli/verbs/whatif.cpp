// SPDX-License-Identifier: Apache-2.0
// `rooflab whatif FILE --change "NAME [ARGS…]"`: what changes would bring, without making them.
// Exit 0 with an answer, 2 for a change that does not exist or does not fit, 5 when the file is
// unsuitable for gains.
#include "report/whatif.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/change_text.h"
#include "cli/files.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

struct Options {
  FilesRequest request{.verb = "whatif", .paths = {}, .filters = {}, .analyse = true};
  std::vector<std::string> changes;
  bool as_recorded = false;
};

Result<Answer> answer(const Globals& g, const Loaded& loaded,
                      const std::vector<graph::ChangeCall>& calls, bool as_recorded) {
  auto report = std::make_shared<report::WhatIfReport>();
  report->analysis = &*loaded.analysis;
  report->as_recorded = as_recorded;
  const graph::Graph graph = graph::build_graph(*loaded.analysis);
  const graph::Predictor predictor(graph, !as_recorded);
  report->basis = verdict::gain_basis(predictor);
  if (calls.empty()) {
    if (predictor.suitable()) report->offers = verdict::offers(predictor);
  } else {
    // Also where no gain may be told: arguments that do not fit are still an error.
    RL_TRY(auto tried, verdict::try_changes(predictor, calls));
    if (predictor.suitable()) report->tried = std::move(tried);
  }
  Answer out;
  out.text = [report, &g] { return report::whatif_text(*report, g.style); };
  out.json = [report] { return report::whatif_json(*report); };
  out.table = [report] { return report::whatif_table(*report); };
  out.no_verdict = !predictor.suitable() || forbids_verdict(loaded.profile);
  return out;
}

int run(const Options& o, Globals& g) {
  std::vector<graph::ChangeCall> calls;
  for (const std::string& text : o.changes) {
    auto call = parse_change(text);
    if (!call) return print_error(g, call.error());
    calls.push_back(std::move(*call));
  }
  return answer_files(
      g, o.request, [&](const Loaded& loaded) { return answer(g, loaded, calls, o.as_recorded); });
}

}  // namespace

Verb verb_whatif() {
  return {"whatif", "predict what changes would bring",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto o = std::make_shared<Options>();
            app.add_option("FILE", o->request.paths, "traces, run files or folders; - is stdin")
                ->required();
            app.add_option("--change", o->changes, "a change, in quotes with its arguments")
                ->type_name("NAME")
                ->allow_extra_args(false);
            app.add_flag("--as-recorded", o->as_recorded,
                         "with the recorder's cost left in host time");
            add_filters(app, o->request.filters, g, NameFilter::kRefused);
            app.footer(
                "Several --change compose, in their order. Without one: every change that alone\n"
                "gains 1.02x or more.\n\n" +
                changes_help() +
                "\nExample:\n  rooflab whatif trace.json.gz --change pin-copies "
                "--change \"loader-workers 8\"");
            return [o, &g] { return run(*o, g); };
          }};
}

}  // namespace rooflab::cli
