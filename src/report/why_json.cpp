// SPDX-License-Identifier: Apache-2.0
// The `data` block of `why --json`; data/schemas/why.json describes it and tests hold the two
// together.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/owner_totals.h"
#include "analysis/rank_comparison.h"
#include "report/gain_words.h"
#include "report/kernel_name.h"
#include "report/measured_kernels.h"
#include "report/metrics_json.h"
#include "report/why.h"

namespace rooflab::report {
namespace {

Json text_json(std::string_view text) { return std::string(text); }

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json verdict_json(const verdict::Verdict& v) {
  Json out = Json::object();
  out["class"] = v.verdict_class;
  out["limit"] = text_json(verdict::to_string(v.limit));
  out["state"] = text_json(verdict::to_string(v.state));
  out["summary"] = v.summary;
  out["confidence"] = text_json(rules::to_string(v.confidence));
  out["runner_up"] = v.margin_ratio ? text_json(verdict::to_string(v.runner_up)) : Json(nullptr);
  out["margin_ratio"] = optional_json(v.margin_ratio);
  out["gain"] = gain_json(v.gain);
  out["inconclusive_because"] = v.inconclusive_because;
  out["improvable_because"] = v.improvable_because;
  return out;
}

Json window_json(const analysis::Analysis& a) {
  const analysis::Window& w = a.window;
  const bool timed = w.unit_count > 0;
  const auto nanos = [&](Nanos n) { return timed ? Json(n.value) : Json(nullptr); };
  Json out = Json::object();
  out["start_ns"] = w.start.value;
  out["end_ns"] = w.end.value;
  out["basis"] = text_json(analysis::to_string(w.basis));
  out["units"] = w.unit_count;
  out["unit_source"] = text_json(analysis::to_string(a.units.source));
  out["unit_name"] = a.units.marker;
  out["unit_ns_mean"] = nanos(w.unit_mean);
  out["unit_ns_median"] = nanos(w.unit_median);
  out["unit_ns_p95"] = nanos(w.unit_p95);
  const bool busy_known = !a.accounting.devices.empty();
  out["gpu_busy_ratio"] =
      busy_known ? Json(analysis::window_busy_ratio(a.accounting).value) : Json(nullptr);
  out["burst_period_units"] = w.burst_period_units;
  out["steady"] = w.steady;
  out["note"] = w.note;
  return out;
}

Json metrics_json(const analysis::Analysis& a) {
  Json out = device_metrics_json(a.metrics.total);
  out["window_ns"] = a.window.length().value;
  out["gpu_busy_ratio"] = a.metrics.gpu_busy_ratio;
  out["useful_ratio"] = optional_json(a.kernels.useful_ratio);
  out["useful_known_ratio"] = ratio_of(a.kernels.modelled_time, a.kernels.kernel_time).value;
  out["roof_device"] = a.kernels.device_name.empty() ? Json(nullptr) : Json(a.kernels.device_name);
  out["devices"] = devices_json(*a.profile, a.metrics);
  return out;
}

Json accounting_json(const analysis::Analysis& a) {
  Json out = Json::array();
  for (const analysis::DeviceAccounting& device : a.accounting.devices) {
    Json row = Json::object();
    row["device"] = device.device_index;
    row["rank"] = device.rank >= 0 ? Json(device.rank) : Json(nullptr);
    row["total_ns"] = device.total().value;
    row["busy_ns"] = device.busy.value;
    row["hidden_comm_ns"] = device.hidden_comm.value;
    row["hidden_copy_ns"] = device.hidden_copy.value;
    row["owners"] = Json::array();
    for (const analysis::OwnerShare& share : device.owners) {
      row["owners"].push_back({{"owner", share.owner},
                               {"ns", share.time.value},
                               {"ratio", ratio_of(share.time, device.total()).value}});
    }
    out.push_back(std::move(row));
  }
  return out;
}

Json ranks_json(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  Json out = Json::object();
  out["collectives"] = a.job->collectives.size();
  out["notes"] = a.job->notes;
  out["ranks"] = Json::array();
  for (std::size_t place = 0; place < a.job->ranks.size(); ++place) {
    const model::JobRank& rank = a.job->ranks[place];
    const analysis::RankShare& share = a.ranks->ranks[place];
    out["ranks"].push_back({{"rank", rank.rank},
                            {"input", rank.input},
                            {"clock_offset_ns", rank.clock_offset_ns},
                            {"clock_residual_ns", rank.clock_residual_ns},
                            {"matched", rank.matched},
                            {"unmatched", rank.unmatched},
                            {"steps", a.ranks->steps},
                            {"steps_last", share.steps_last},
                            {"waited_ns", share.waited_ns},
                            {"caused_ns", share.caused_ns}});
  }
  return out;
}

Json finding_json(const rules::Finding& f) {
  Json out = Json::object();
  out["id"] = f.id;
  out["rule"] = f.rule;
  out["layer"] = text_json(rules::to_string(f.layer));
  out["title"] = f.title;
  out["ratio"] = f.ratio.value;
  out["gain"] = gain_json(f.gain);
  out["change"] = Json::array();
  for (const graph::ChangeCall& call : f.remedy) out["change"].push_back(call_words(call));
  out["confidence"] = text_json(rules::to_string(f.confidence));
  out["evidence"] = Json::array();
  for (const rules::Evidence& e : f.evidence) {
    Json row = {{"text", e.text}};
    if (!e.key.empty() && std::isfinite(e.value)) {
      row["key"] = e.key;
      row["value"] = e.value;
    }
    out["evidence"].push_back(std::move(row));
  }
  out["chain"] = f.chain;
  out["falsifier"] = f.falsifier;
  out["position"] = f.position;
  out["kernel_bound"] = f.kernel_bound > 0 ? Json(f.kernel_bound) : Json(nullptr);
  out["fix"] = Json::array();
  for (const rules::Fix& fix : f.fixes)
    out["fix"].push_back({{"api", fix.api}, {"text", fix.text}});
  out["where"] = f.where;
  return out;
}

Json kernels_json(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  if (a.kernels.rows.empty()) return measured_kernels_json(r);
  Json out = Json::array();
  for (const analysis::KernelRow& k : a.kernels.rows) {
    const std::string name(a.profile->text(k.name));
    Json row = Json::object();
    row["name"] = demangle(name);
    row["class"] = text_json(analysis::to_string(k.kernel_class));
    row["count"] = k.count;
    row["sum_ns"] = k.sum.value;
    row["median_ns"] = k.median.value;
    row["limit"] = text_json(analysis::to_string(k.limit));
    const bool modelled = k.modelled > 0 && k.modelled_sum.value > 0;
    row["roof_ratio"] = modelled && k.roof_time.value > 0
                            ? Json(ratio_of(k.roof_time, k.modelled_sum).value)
                            : Json(nullptr);
    row["findings"] = rules_of(r, name);
    const auto measured =
        std::find_if(a.counters.kernels.begin(), a.counters.kernels.end(),
                     [&](const analysis::MeasuredKernel& m) {
                       return !m.works.empty() && a.profile->work.name[m.works[0].row] == k.name;
                     });
    row["measured"] =
        measured == a.counters.kernels.end() ? Json(nullptr) : measured_json(*a.profile, *measured);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

Json why_json(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  Json out = Json::object();
  out["verdict"] = verdict_json(r.verdict);
  out["reproduction"] = r.basis ? reproduction_json(*r.basis) : Json(nullptr);
  out["deflation"] = r.basis ? deflation_json(*r.basis) : Json(nullptr);
  out["window"] = window_json(a);
  out["metrics"] = metrics_json(a);
  out["accounting"] = accounting_json(a);
  out["findings"] = Json::array();
  for (const rules::Finding& f : r.findings.fired) out["findings"].push_back(finding_json(f));
  out["suppressed"] = Json::array();
  for (const Suppressed& s : r.suppressed)
    out["suppressed"].push_back({{"rule", s.rule}, {"reason", s.reason}});
  out["kernels"] = kernels_json(r);
  out["not_evaluated"] = Json::array();
  for (const rules::NotEvaluatedRule& n : r.findings.not_evaluated) {
    out["not_evaluated"].push_back({{"rule", n.rule}, {"needs", n.needs}});
  }
  out["hygiene"] = hygiene_json(a.profile->hygiene);
  for (const analysis::Analysis* rank : r.ranks) {
    if (rank->profile == a.profile) continue;
    for (auto& note : hygiene_json(rank->profile->hygiene)) {
      out["hygiene"].push_back(std::move(note));
    }
  }
  if (!r.ranks.empty()) out["job"] = ranks_json(r);
  return out;
}

}  // namespace rooflab::report
