// SPDX-License-Identifier: Apache-2.0
// `rooflab why FILE...`: the main job. Exit 0 with a verdict, 5 when the evidence does not allow
// one, 3 when nothing could be read.
#include "report/why.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/peers/peer.h"
#include "cli/files.h"
#include "cli/suppress.h"
#include "cli/verb.h"
#include "verdict/causes.h"

namespace rooflab::cli {
namespace {

struct Options {
  FilesRequest request{.verb = "why", .paths = {}, .filters = {}, .analyse = true};
  std::string as;
  bool as_recorded = false;
};

std::vector<std::string> peer_ids() {
  std::vector<std::string> ids;
  for (const analysis::Peer& peer : analysis::all_peers()) ids.emplace_back(peer.id);
  return ids;
}

Answer answer_of(const Globals& g, const std::shared_ptr<report::WhyReport>& report) {
  report->suppressed = suppress(report->findings, g.config.suppressed);
  Answer answer;
  answer.text = [report, &g] { return report::why_text(*report, g.style); };
  answer.json = [report] { return report::why_json(*report); };
  answer.table = [report] { return report::accounting_table(*report); };
  answer.markdown = [report, &g] { return report::why_markdown(*report, g.style); };
  answer.no_verdict = report->verdict.state == verdict::State::kInconclusive;
  return answer;
}

// The verdict rests on all findings: a suppression silences, it does not heal.
Result<Answer> diagnose(const Globals& g, const Loaded& loaded, bool as_recorded) {
  auto report = std::make_shared<report::WhyReport>();
  report->analysis = &*loaded.analysis;
  report->files = loaded.files;
  const graph::Graph graph = graph::build_graph(*loaded.analysis);
  const graph::Predictor predictor(graph, !as_recorded);
  report->basis = verdict::gain_basis(predictor);
  report->findings = rules::evaluate(*loaded.analysis, &predictor);
  const verdict::Predictions predictions{&predictor, verdict::cause_gains(predictor)};
  report->verdict = verdict::decide(*loaded.analysis, report->findings, &predictions);
  return answer_of(g, report);
}

Result<Answer> diagnose_ranks(const Globals& g, const LoadedRanks& loaded, bool as_recorded) {
  auto report = std::make_shared<report::WhyReport>();
  report->analysis = &loaded.joint;
  report->ranks = loaded.comparison.analyses;
  report->files = report->ranks.size();
  const std::vector<graph::Graph> graphs = graph::build_graphs(report->ranks);
  const graph::Predictor predictor(graph::pointers(graphs), !as_recorded);
  report->basis = verdict::gain_basis(predictor);
  report->findings = rules::evaluate_ranks(report->ranks, &predictor);
  const verdict::Predictions predictions{&predictor, verdict::cause_gains(predictor)};
  report->verdict = verdict::decide(loaded.joint, report->findings, &predictions);
  return answer_of(g, report);
}

Result<Answer> as_peer(const Globals& g, const std::string& id, const model::Profile& profile) {
  const std::vector<analysis::Peer> peers = analysis::all_peers();
  const auto it =
      std::find_if(peers.begin(), peers.end(), [&](const analysis::Peer& p) { return p.id == id; });
  if (it == peers.end())
    return fail(ErrorCode::kUsage, "no such tool", "--as", "rooflab why --help");
  const analysis::Peer peer = *it;
  RL_TRY(auto figures, peer.figures(profile));
  auto shared = std::make_shared<analysis::PeerReport>(std::move(figures));
  Answer answer;
  answer.text = [peer, shared, &g] { return report::peer_text(peer, *shared, g.style); };
  answer.table = [peer, shared] { return report::peer_table(peer, *shared); };
  answer.json = [peer, shared] { return report::peer_json(peer, *shared); };
  return answer;
}

// Another tool's figures are over what that tool looks at; a filter would be ignored.
std::optional<Error> unfit_filter(const Globals& g, const Options& o) {
  if (o.as.empty()) return {};
  std::vector<std::string> given = filters_given(o.request.filters);
  if (g.flags.count("step_range") > 0) given.emplace_back("--step-range");
  if (g.flags.count("input_range") > 0) given.emplace_back("--input-range");
  if (given.empty()) return {};
  return Error{ErrorCode::kUsage, "--as " + o.as + " has a window of its own", given[0],
               "leave out " + given[0] + ", or --as"};
}

}  // namespace

Verb verb_why() {
  return {
      "why", "say why a recorded workload is slow",
      [](CLI::App& app, Globals& g) -> std::function<int()> {
        auto o = std::make_shared<Options>();
        app.add_option("FILE", o->request.paths, "traces, run files or folders; - is stdin")
            ->required();
        CLI::Option* as = app.add_option("--as", o->as, "another tool's figures for the same file");
        as->type_name("TOOL");
        allow_only(as, peer_ids(), g);
        app.add_flag("--as-recorded", o->as_recorded,
                     "gains with the recorder's cost left in host time");
        add_filters(app, o->request.filters, g, NameFilter::kRefused);
        app.footer(
            "Example:\n  rooflab why trace.json.gz --skip-first 1\n  rooflab why traces/ --json\n"
            "--format csv prints the table of owners, md all that the screen says.");
        return [o, &g] {
          if (const auto refused = unfit_filter(g, *o)) return print_error(g, *refused);
          o->request.analyse = o->as.empty();
          const auto one = [o, &g](const Loaded& loaded) {
            return o->as.empty() ? diagnose(g, loaded, o->as_recorded)
                                 : as_peer(g, o->as, loaded.profile);
          };
          AnswerRanks ranks;  // another tool's figures are file by file
          if (o->as.empty()) {
            ranks = [o, &g](const LoadedRanks& r) { return diagnose_ranks(g, r, o->as_recorded); };
          }
          return answer_files(g, o->request, one, ranks);
        };
      }};
}

}  // namespace rooflab::cli
