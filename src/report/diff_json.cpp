// SPDX-License-Identifier: Apache-2.0
// The `data` block of `diff --json`, described by data/schemas/diff.json, and the table.
#include <nlohmann/json.hpp>

#include "report/diff.h"

namespace rooflab::report {
namespace {

using compare::Comparison;
using compare::Figure;
using compare::Part;

Json figure_json(const Figure& f) {
  static constexpr const char* kDirections[] = {"faster", "same", "slower", "unclear"};
  return {{"before_ns", f.change.before},
          {"after_ns", f.change.after},
          {"ratio", f.change.ratio},
          {"ratio_low", f.change.known ? Json(f.change.low) : Json(nullptr)},
          {"ratio_high", f.change.known ? Json(f.change.high) : Json(nullptr)},
          {"speed_up", f.speed_up()},
          {"direction", kDirections[static_cast<int>(f.direction)]}};
}

Json part_json(const Part& p) {
  return {{"name", p.name},
          {"shape", p.shape},
          {"count_before", p.count_before},
          {"count_after", p.count_after},
          {"before_ns", p.ns_before},
          {"after_ns", p.ns_after}};
}

}  // namespace

Json diff_json(const DiffReport& r) {
  const Comparison& c = r.comparison;
  Json out = Json::object();
  out["class"] = diff_class(c);
  out["basis"] = std::string(compare::to_string(c.basis));
  out["recorder_limited"] = c.recorder_limited;
  out["disagree"] = c.disagree;
  out["neutral_step"] = c.neutral_step();
  out["least_effect_ratio"] = c.least_effect;
  out["recorded"] = figure_json(c.recorded);
  out["deflated"] = figure_json(c.deflated);
  out["device_busy"] = figure_json(c.busy);
  out["doubts"] = Json::array();
  for (const compare::Doubt& d : c.doubts) {
    out["doubts"].push_back({{"refuses", d.refuses}, {"text", d.text}});
  }
  for (const auto& [key, parts] :
       {std::pair{"kernels", &c.kernels}, std::pair{"owners", &c.owners}}) {
    out[key] = Json::array();
    for (const Part& part : *parts) out[key].push_back(part_json(part));
  }
  return out;
}

Table diff_table(const DiffReport& r) {
  Table t;
  t.id = "kernels";
  t.title = "Kernels, for each unit";
  t.columns = {{"kernel", "kernel", Unit::kText},
               {"shape", "grid x block", Unit::kText},
               {"count_before", "launches before", Unit::kNumber},
               {"count_after", "after", Unit::kNumber},
               {"before_ns", "ns before", Unit::kNumber},
               {"after_ns", "after", Unit::kNumber}};
  for (const Part& p : r.comparison.kernels) {
    t.rows.push_back({p.name, p.shape, p.count_before, p.count_after, p.ns_before, p.ns_after});
  }
  t.notes.push_back("answer: " + diff_class(r.comparison));
  return t;
}

}  // namespace rooflab::report
