// SPDX-License-Identifier: Apache-2.0
// The `data` block of `whatif --json`, described by data/schemas/whatif.json, and the table for csv
// and Markdown.
#include <nlohmann/json.hpp>

#include "report/gain_words.h"
#include "report/whatif.h"
#include "report/whatif_rows.h"
#include "rules/rule.h"

namespace rooflab::report {
namespace {

using verdict::Offer;
using verdict::Tried;

Json call_json(const graph::ChangeCall& call, const graph::Applied& applied) {
  return {{"name", call.name},    {"arguments", call.arguments}, {"count", applied.count},
          {"what", applied.what}, {"assumes", applied.assumes},  {"bound", applied.bound}};
}

Json owners_json(const graph::Shares& shares) {
  Json out = Json::array();
  for (const analysis::OwnerShare& share : shares.owners) {
    out.push_back({{"owner", share.owner}, {"ratio", ratio_of(share.time, shares.total).value}});
  }
  return out;
}

Json tried_json(const Tried& t, const verdict::GainBasis& basis) {
  const StepAfter after = step_after(t);
  Json out = Json::object();
  out["changes"] = Json::array();
  for (std::size_t i = 0; i < t.calls.size(); ++i) {
    out["changes"].push_back(call_json(t.calls[i], t.applied[i]));
  }
  out["step_recorded_ns"] = basis.recorded_step_ns;
  out["step_before"] = {{"low_ns", t.before_low_ns},
                        {"likely_ns", t.gain.step_before_ns},
                        {"high_ns", t.before_high_ns}};
  const bool bound = t.gain.bound;
  out["step_after"] = {{"low_ns", after.low},
                       {"likely_ns", bound ? Json(nullptr) : Json(after.likely)},
                       {"high_ns", bound ? Json(nullptr) : Json(after.high)}};
  out["gain"] = gain_json(rules::stated(t.gain));
  out["owners_before"] = owners_json(t.before);
  out["owners_after"] = owners_json(t.after);
  out["next_limit"] = {{"limit", std::string(verdict::to_string(t.next.limit))},
                       {"gain", gain_json(t.next.gain)}};
  return out;
}

Json offers_json(const verdict::Offers& offers) {
  Json out = Json::object();
  out["worthwhile"] = Json::array();
  for (const Offer& offer : offers.worthwhile) {
    Json row = call_json(offer.call, offer.applied);
    row["gain"] = gain_json(rules::stated(offer.gain));
    out["worthwhile"].push_back(std::move(row));
  }
  out["nothing"] = offers.nothing;
  out["need_arguments"] = offers.need_arguments;
  return out;
}

Table offers_table(const std::vector<Offer>& offers) {
  Table t;
  t.id = "changes";
  t.columns = {{"change", "change", Unit::kText},     {"low", "low", Unit::kNumber},
               {"likely", "likely", Unit::kNumber},   {"high", "high", Unit::kNumber},
               {"what", "what it does", Unit::kText}, {"assumes", "assumes", Unit::kText}};
  for (const Offer& offer : offers) {
    const rules::Gain gain = rules::stated(offer.gain);
    std::string assumes;
    for (const std::string& one : offer.applied.assumes) {
      assumes += (assumes.empty() ? "" : "; ") + one;
    }
    t.rows.push_back({call_words(offer.call), gain.low ? Cell(*gain.low) : Cell(),
                      gain.likely ? Cell(*gain.likely) : Cell(), gain.high, offer.applied.what,
                      assumes});
  }
  return t;
}

}  // namespace

Json whatif_json(const WhatIfReport& r) {
  Json out = Json::object();
  out["reproduction"] = reproduction_json(r.basis);
  out["deflation"] = deflation_json(r.basis);
  out["result"] = r.tried ? tried_json(*r.tried, r.basis) : Json(nullptr);
  out["offers"] = r.offers ? offers_json(*r.offers) : Json(nullptr);
  out["not_predicted_because"] = not_predicted_words(r.basis);
  return out;
}

Table whatif_table(const WhatIfReport& r) {
  if (r.offers) return offers_table(r.offers->worthwhile);
  Table t;
  t.id = "owners";
  t.columns = {{"owner", "owner", Unit::kText},
               {"before_ns", "a step before", Unit::kNanos},
               {"before_ratio", "share", Unit::kRatio},
               {"after_ns", "a step after", Unit::kNanos},
               {"after_ratio", "share", Unit::kRatio}};
  if (!r.tried) {
    t.notes = {not_predicted_words(r.basis)};
    return t;
  }
  t.title = calls_words(r.tried->calls) + ": gain " + gain_words(rules::stated(r.tried->gain));
  for (const OwnerChange& row : owner_changes(*r.tried)) {
    t.rows.push_back({row.owner, whole_nanos(row.before_ns).value, row.before_ratio,
                      whole_nanos(row.after_ns).value, row.after_ratio});
  }
  return t;
}

}  // namespace rooflab::report
