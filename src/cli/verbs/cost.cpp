// SPDX-License-Identifier: Apache-2.0
// `rooflab cost FILE --gpu-hour 2.50 --gpus 8`: what idle time costs, and what the findings'
// changes would save. The price is the user's: there is no built-in one. Exit as of `why`.
#include "report/cost.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/owner_totals.h"
#include "cli/files.h"
#include "cli/verb.h"
#include "cost/improvement.h"
#include "graph/gain.h"

namespace rooflab::cli {
namespace {

struct Options {
  FilesRequest request{.verb = "cost", .paths = {}, .filters = {}, .analyse = true};
  double gpu_hour = 0, gpus = 1, hours = 1;
  std::string billing = "on-demand", currency, price_source, improve;
};

Result<Answer> answer(const Globals& g, const Loaded& loaded, const Options& o) {
  auto report = std::make_shared<report::CostReport>();
  report->analysis = &*loaded.analysis;
  report->fleet = {o.gpus, o.hours, cost::Money{o.gpu_hour}};
  report->billing = o.billing == "reserved" ? cost::Billing::kReserved : cost::Billing::kOnDemand;
  report->currency = o.currency;
  report->price_source = o.price_source;
  if (!o.improve.empty()) {
    const Ratio busy = analysis::window_busy_ratio(loaded.analysis->accounting);
    RL_TRY(report->improve, cost::parse_improvement(o.improve, busy));
  }
  const graph::Graph graph = graph::build_graph(*loaded.analysis);
  const graph::Predictor predictor(graph, true);
  report->findings = rules::evaluate(*loaded.analysis, &predictor);
  Answer out;
  out.text = [report, &g] { return report::cost_text(*report, g.style); };
  out.json = [report] { return report::cost_json(*report); };
  out.table = [report] { return report::cost_table(*report); };
  out.no_verdict = forbids_verdict(loaded.profile);
  return out;
}

}  // namespace

Verb verb_cost() {
  return {
      "cost", "say what idle time costs and what changes would save",
      [](CLI::App& app, Globals& g) -> std::function<int()> {
        auto o = std::make_shared<Options>();
        app.add_option("FILE", o->request.paths, "traces, run files or folders; - is stdin")
            ->required();
        app.add_option("--gpu-hour", o->gpu_hour, "what one GPU costs an hour")
            ->required()
            ->check(CLI::PositiveNumber);
        app.add_option("--gpus", o->gpus, "GPUs that run so")->check(CLI::PositiveNumber);
        app.add_option("--hours", o->hours, "hours that they run")->check(CLI::PositiveNumber);
        app.add_option("--billing", o->billing, "on-demand or reserved")
            ->check(CLI::IsMember({"on-demand", "reserved"}));
        app.add_option("--currency", o->currency, "printed behind amounts");
        app.add_option("--price-source", o->price_source, "where the price is from, and of when");
        app.add_option("--improve", o->improve, "x1.2, +20%rel, +20pts or time-20%");
        add_filters(app, o->request.filters, g, NameFilter::kRefused);
        app.footer("Example:\n  rooflab cost trace.json.gz --gpu-hour 2.50 --gpus 8 --hours 100");
        return [o, &g] {
          return answer_files(g, o->request,
                              [&](const Loaded& loaded) { return answer(g, loaded, *o); });
        };
      }};
}

}  // namespace rooflab::cli
