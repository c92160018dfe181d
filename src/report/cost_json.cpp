// SPDX-License-Identifier: Apache-2.0
// The `data` block of `cost --json`, described by data/schemas/cost.json, and the table for csv and
// Markdown.
#include <nlohmann/json.hpp>

#include "report/cost_rows.h"
#include "report/gain_words.h"

namespace rooflab::report {

Json cost_json(const CostReport& r) {
  const IdleCost idle = idle_cost(r);
  Json out = Json::object();
  out["fleet"] = {{"gpus", r.fleet.gpus},
                  {"hours", r.fleet.hours},
                  {"gpu_hour", r.fleet.gpu_hour.value},
                  {"currency", r.currency},
                  {"price_source", r.price_source},
                  {"billing", r.billing == cost::Billing::kOnDemand ? "on-demand" : "reserved"}};
  out["spent"] = idle.spent.value;
  out["gpu_busy_ratio"] = idle.busy.value;
  out["idle"] = idle.idle.value;
  out["useful_ratio"] = idle.useful ? Json(idle.useful->value) : Json(nullptr);
  out["not_useful"] = idle.not_useful ? Json(idle.not_useful->value) : Json(nullptr);
  out["per_year_factor"] = years(r.fleet);
  out["asked"] = r.improve ? Json{{"speed_up", *r.improve},
                                  {"saving", cost::saving_by_speed(idle.spent, *r.improve).value}}
                           : Json(nullptr);
  out["savings"] = Json::array();
  for (const CostRow& row : cost_rows(r)) {
    const bool bound = row.gain.bound;
    out["savings"].push_back({{"rule", row.rule},
                              {"gain", gain_json(row.gain)},
                              {"low", bound ? Json(nullptr) : Json(row.range.low.value)},
                              {"likely", bound ? Json(nullptr) : Json(row.range.likely.value)},
                              {"high", row.range.high.value},
                              {"distinguishable", row.range.distinguishable}});
  }
  return out;
}

Table cost_table(const CostReport& r) {
  Table t;
  t.id = "savings";
  t.title = "What each change would save, for the same work";
  t.columns = {{"rule", "finding", Unit::kText},
               {"low", "low", Unit::kNumber},
               {"likely", "likely", Unit::kNumber},
               {"high", "high", Unit::kNumber}};
  for (const CostRow& row : cost_rows(r)) {
    const auto cell = [&](double value) { return row.gain.bound ? Cell{} : Cell{value}; };
    t.rows.push_back(
        {row.rule, cell(row.range.low.value), cell(row.range.likely.value), row.range.high.value});
  }
  t.notes.push_back("of what the fleet costs over its hours; never added");
  return t;
}

}  // namespace rooflab::report
