// SPDX-License-Identifier: Apache-2.0
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/page.h"

namespace rooflab::report {
namespace {

using compare::Judged;
using compare::Met;

std::string_view met_word(Met met) {
  switch (met) {
    case Met::kNo:
      return "passes";
    case Met::kYes:
      return "FAILS";
    case Met::kUndecided:
      break;
  }
  return "undecided";
}

const compare::Change& change_of(const GateReport& r, const Judged& j) {
  const compare::Comparison& c = r.comparison;
  if (j.condition.figure == compare::Basis::kBusy) return c.busy.change;
  return j.condition.figure == compare::Basis::kRecorded ? c.recorded.change : c.deflated.change;
}

double percent(double ratio) { return (ratio - 1) * 100; }

}  // namespace

Met outcome_of(const GateReport& r) {
  const auto any = [&](Met met) {
    return std::any_of(r.judged.begin(), r.judged.end(),
                       [&](const Judged& j) { return j.met == met; });
  };
  if (any(Met::kYes)) return Met::kYes;
  return any(Met::kUndecided) ? Met::kUndecided : Met::kNo;
}

std::string gate_text(const GateReport& r, const Style& style) {
  Page page(style);
  for (const compare::Doubt& d : r.comparison.doubts) page.paragraph(" - ", d.text);
  for (const Judged& j : r.judged) {
    const compare::Change& c = change_of(r, j);
    std::string text = fmt::format("{}: {:+.1f} %", j.condition.text, percent(c.ratio));
    if (c.known) text += fmt::format(" ({:+.1f} to {:+.1f} %)", percent(c.low), percent(c.high));
    if (!j.why.empty()) text += "; " + j.why;
    const Ink ink = j.met == Met::kNo ? Ink::kGood : j.met == Met::kYes ? Ink::kBad : Ink::kWarn;
    page.paragraph(fmt::format("{:<10} ", met_word(j.met)), text, ink);
  }
  return std::move(page).take();
}

Json gate_json(const GateReport& r) {
  static constexpr const char* kOutcome[] = {"passed", "failed", "undecided"};
  Json out = Json::object();
  out["outcome"] = kOutcome[static_cast<int>(outcome_of(r))];
  out["conditions"] = Json::array();
  for (const Judged& j : r.judged) {
    const compare::Change& c = change_of(r, j);
    out["conditions"].push_back({{"condition", j.condition.text},
                                 {"outcome", kOutcome[static_cast<int>(j.met)]},
                                 {"ratio", c.ratio},
                                 {"ratio_low", c.known ? Json(c.low) : Json(nullptr)},
                                 {"ratio_high", c.known ? Json(c.high) : Json(nullptr)},
                                 {"why", j.why}});
  }
  return out;
}

Table gate_table(const GateReport& r) {
  Table t;
  t.id = "conditions";
  t.columns = {{"condition", "condition", Unit::kText},
               {"outcome", "outcome", Unit::kText},
               {"ratio", "after / before", Unit::kNumber},
               {"why", "why", Unit::kText}};
  for (const Judged& j : r.judged) {
    t.rows.push_back(
        {j.condition.text, std::string(met_word(j.met)), change_of(r, j).ratio, j.why});
  }
  return t;
}

}  // namespace rooflab::report
