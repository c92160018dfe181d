// SPDX-License-Identifier: Apache-2.0
// What rooflab predicts for one recording, as one line of JSON: how closely the un-edited
// simulation gives back the recorded step, the verdict, each finding with its gain, and the gain of
// each change asked for.
//
//   accuracy_gains before.json.gz "graph-launches" "pin-copies; overlap-copies"
//
// Several changes in one argument are composed in one run. A change that does not exist, or does
// not fit, gives null. Refuses (exit 3) files that cannot be read or analysed.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "graph/gain.h"
#include "importers/importer.h"
#include "rules/rule.h"
#include "verdict/causes.h"
#include "verdict/verdict.h"

namespace {

using namespace rooflab;  // NOLINT(google-build-using-namespace): a program of one file
using Json = nlohmann::ordered_json;

std::vector<graph::ChangeCall> parse_changes(const std::string& text) {
  std::vector<graph::ChangeCall> out;
  std::istringstream changes(text);
  for (std::string one; std::getline(changes, one, ';');) {
    std::istringstream words(one);
    graph::ChangeCall call;
    words >> call.name;
    for (std::string argument; words >> argument;) call.arguments.push_back(argument);
    if (!call.name.empty()) out.push_back(std::move(call));
  }
  return out;
}

std::string text_of(const std::vector<graph::ChangeCall>& calls) {
  std::string out;
  for (const graph::ChangeCall& call : calls) {
    if (!out.empty()) out += "; ";
    out += call.name;
    for (const std::string& argument : call.arguments) out += " " + argument;
  }
  return out;
}

Json gain_json(const rules::Gain& g) {
  Json out = Json::object();
  out["low"] = g.low ? Json(*g.low) : Json(nullptr);
  out["likely"] = g.likely ? Json(*g.likely) : Json(nullptr);
  out["high"] = g.high;
  out["bound"] = g.bound;
  return out;
}

Json findings_json(const rules::Findings& findings) {
  Json out = Json::array();
  for (const rules::Finding& f : findings.fired) {
    Json row = Json::object();
    row["rule"] = f.rule;
    row["changes"] = text_of(f.remedy);
    row["gain"] = f.gain ? gain_json(*f.gain) : Json(nullptr);
    out.push_back(std::move(row));
  }
  return out;
}

Json reproduction_json(const graph::Graph& g, const graph::Predictor& predictor) {
  const double recorded = graph::recorded_step_ns(g);
  Json out = Json::object();
  out["recorded_ns"] = recorded;
  out["simulated_ns"] = graph::simulate(g, graph::as_recorded(g)).step_ns;
  out["error_ratio"] = predictor.reproduction_error();
  out["suitable"] = predictor.suitable();
  return out;
}

Json answer(const analysis::Analysis& a, const std::vector<std::string>& asked) {
  const graph::Graph g = graph::build_graph(a);
  const graph::Predictor predictor(g, true);
  const rules::Findings findings = rules::evaluate(a, &predictor);
  const verdict::Predictions predictions{&predictor, verdict::cause_gains(predictor)};
  const verdict::Verdict v = verdict::decide(a, findings, &predictions);
  Json out = Json::object();
  out["units"] = a.window.unit_count;
  out["reproduction"] = reproduction_json(g, predictor);
  const auto& d = predictor.deflation();
  out["deflation"] =
      d ? Json{{"mode", d->mode}, {"low", d->low}, {"likely", d->likely}, {"high", d->high}}
        : Json(nullptr);
  out["limit"] = std::string(verdict::to_string(v.limit));
  out["state"] = std::string(verdict::to_string(v.state));
  out["findings"] = findings_json(findings);
  out["asked"] = Json::object();
  for (const std::string& text : asked) {
    const std::vector<graph::ChangeCall> calls = parse_changes(text);
    const auto gain = predictor.gain(calls);
    const bool fits = predictor.suitable() && !calls.empty() && gain.has_value();
    out["asked"][text] = fits ? gain_json(rules::stated(*gain)) : Json(nullptr);
  }
  return out;
}

int refuse(const Error& error) {
  fmt::print(stderr, "accuracy_gains: {} ({})\n", error.message, error.where);
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: accuracy_gains FILE [\"CHANGE [ARGS]; CHANGE\"]...\n");
    return 2;
  }
  const auto catalog = hw::DeviceCatalog::load();
  if (!catalog) return refuse(catalog.error());
  const auto profile = importers::import_file(argv[1]);
  if (!profile) return refuse(profile.error());
  const auto analysis = analysis::analyse(*profile, *catalog, {});
  if (!analysis) return refuse(analysis.error());
  fmt::print("{}\n", answer(*analysis, {argv + 2, argv + argc}).dump());
  return 0;
}
