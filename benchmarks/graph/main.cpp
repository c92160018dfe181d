// SPDX-License-Identifier: Apache-2.0
// What rules, graph and gains add to reading a trace: each stage of `rooflab why` timed in one
// process, as a share of the import of the same file. Times are of the processor, over all threads:
// they hardly depend on what else runs.
//
//   bench_graph trace.json [ROUNDS]
//
// Refuses (exit 3) files that cannot be read or analysed. Goal: rules, graph and gains take at most
// the import's own time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>

#include "analysis/analysis.h"
#include "base/huge_pages.h"
#include "graph/gain.h"
#include "importers/importer.h"
#include "rules/rule.h"
#include "verdict/causes.h"
#include "verdict/verdict.h"

namespace {

using namespace rooflab;  // NOLINT(google-build-using-namespace): a program of one file

double seconds_of(const auto& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

int refuse(const Error& error) {
  fmt::print(stderr, "bench_graph: {} ({})\n", error.message, error.where);
  return 3;
}

// Every change alone, for the slowest of them.
void each_change(const graph::Predictor& predictor) {
  for (const graph::Change& change : graph::all_changes()) {
    std::optional<Result<graph::Gain>> gain;
    const double seconds = seconds_of([&] {
      gain = predictor.gain({{change.name, {}}});
      if (!*gain) gain = predictor.gain({{change.name, {"4"}}});
    });
    if (*gain) fmt::print("  {:<20} {:.3f} s\n", change.name, seconds);
  }
}

int measure(const char* path, const hw::DeviceCatalog& catalog, bool with_changes) {
  std::optional<Result<model::Profile>> profile;
  const double t_import = seconds_of([&] { profile.emplace(importers::import_file(path)); });
  if (!*profile) return refuse(profile->error());
  std::optional<Result<analysis::Analysis>> analysis;
  const double t_analysis =
      seconds_of([&] { analysis.emplace(analysis::analyse(**profile, catalog, {})); });
  if (!*analysis) return refuse(analysis->error());
  graph::Graph g;
  const double t_graph = seconds_of([&] { g = graph::build_graph(**analysis); });
  std::optional<graph::Predictor> predictor;
  const double t_predictor = seconds_of([&] { predictor.emplace(g, true); });
  rules::Findings without, findings;
  const double t_rules = seconds_of([&] { without = rules::evaluate(**analysis, nullptr); });
  const double t_both = seconds_of([&] { findings = rules::evaluate(**analysis, &*predictor); });
  const double t_gains = std::max(0.0, t_both - t_rules);
  verdict::Predictions predictions{&*predictor, {}};
  const double t_causes =
      seconds_of([&] { predictions.causes = verdict::cause_gains(*predictor); });
  const double t_verdict =
      seconds_of([&] { (void)verdict::decide(**analysis, findings, &predictions); });
  const double added = t_graph + t_predictor + t_rules + t_gains + t_causes + t_verdict;
  fmt::print(
      "{} spans, {} works, {} anchors, {} parts, {} findings; reproduction {:.2f} %\n"
      "import {:.3f} s; analysis {:.3f}; graph {:.3f}, un-edited runs {:.3f}, rules {:.3f}, gains "
      "{:.3f}, causes {:.3f}, verdict {:.3f}\n"
      "rules, graph and gains {:.3f} s: {:.2f} of the import\n",
      (*profile)->spans.size(), (*profile)->work.size(), g.anchor_count(), g.parts.size(),
      findings.fired.size(), 100 * predictor->reproduction_error(), t_import, t_analysis, t_graph,
      t_predictor, t_rules, t_gains, t_causes, t_verdict, added, added / t_import);
  if (with_changes) each_change(*predictor);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  use_huge_pages();  // as the rooflab binary does
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  if (argc < 2 || rounds < 1) {
    fmt::print(stderr, "usage: bench_graph FILE [ROUNDS]\n");
    return 2;
  }
  const auto catalog = hw::DeviceCatalog::load();
  if (!catalog) return refuse(catalog.error());
  for (int round = 1; round <= rounds; ++round) {
    if (const int failed = measure(argv[1], *catalog, round == rounds); failed != 0) return failed;
  }
  return 0;
}
