// SPDX-License-Identifier: Apache-2.0
#include "report/measured_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/human.h"
#include "model/kernel_key.h"
#include "report/kernel_name.h"
#include "report/text.h"

namespace rooflab::report {
namespace {

constexpr int kNameWidth = 22;

std::string limit_words(const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kUnknown) return "not known";
  std::string text(analysis::to_string(k.limit));
  if (!k.level.empty()) text += ": " + (k.of_shared ? std::string("shared") : k.level);
  if (k.limit == analysis::Roof::kLatency)
    return text + fmt::format(" (busiest {:.2g} %)", k.level_percent);
  return text + fmt::format(" {:.3g} %", k.level_percent);
}

std::string occupancy_words(const analysis::MeasuredKernel& k) {
  const auto occupancy = k.value("achieved_occupancy_percent");
  return occupancy ? fmt::format("{:.3g} %", *occupancy) : "?";
}

// Names as the kernel table shows them; a size tells kernels of one name apart.
std::vector<std::string> names_of(const WhyReport& r, const Style& style) {
  const analysis::Analysis& a = *r.analysis;
  std::vector<std::string_view> names;
  for (const analysis::MeasuredKernel& k : a.counters.kernels)
    names.push_back(a.profile->text(k.name));
  std::vector<std::string> out = display_kernel_names(names, style);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string& label = a.counters.kernels[i].label;
    if (label.size() > names[i].size()) out[i] += printable(label.substr(names[i].size()));
  }
  return out;
}

Ratio share_of(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  return ratio_of(k.sum, a.counters.total);
}

}  // namespace

std::vector<const rules::Finding*> findings_at(const WhyReport& r, std::string_view where) {
  std::vector<const rules::Finding*> out;
  for (const rules::Finding& f : r.findings.fired) {
    if (f.where == where) out.push_back(&f);
  }
  std::stable_sort(out.begin(), out.end(), [](const rules::Finding* a, const rules::Finding* b) {
    return a->order < b->order;
  });
  return out;
}

Json rules_of(const WhyReport& r, std::string_view where) {
  Json out = Json::array();
  for (const rules::Finding* f : findings_at(r, where)) out.push_back(f->rule);
  return out;
}

Json measured_json(const model::Profile& p, const analysis::MeasuredKernel& k) {
  Json out = Json::object();
  out["launches"] = k.launches.size();
  out["read"] = k.read;
  out["median_ns"] = k.median.value;
  out["limit"] = std::string(analysis::to_string(k.limit));
  out["level"] = k.level.empty() ? Json(nullptr) : Json(k.level);
  out["level_percent"] = k.level_percent;
  Json grid(nullptr), block(nullptr);
  if (k.config.row < p.launch_configs.size()) {
    grid = p.launch_configs[k.config.row].grid;
    block = p.launch_configs[k.config.row].block;
  }
  out["grid"] = std::move(grid);
  out["block"] = std::move(block);
  out["metrics"] = Json::object();
  for (const auto& [metric, value] : k.values) out["metrics"][std::string(metric)] = value;
  out["flagged"] = Json::array();
  for (const analysis::FlaggedValue& f : k.flagged) {
    out["flagged"].push_back(
        {{"metric", f.metric}, {"value", f.value}, {"why", f.why}, {"launches", f.launches}});
  }
  return out;
}

Json measured_kernels_json(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  Json out = Json::array();
  for (const analysis::MeasuredKernel& k : a.counters.kernels) {
    const std::string name(a.profile->text(k.name));
    Json row = Json::object();
    row["name"] = demangle(name);
    row["class"] = std::string(analysis::to_string(a.classes.of(k.name)));
    row["count"] = k.launches.size();
    row["sum_ns"] = k.sum.value;
    row["median_ns"] = k.median.value;
    row["limit"] = std::string(analysis::to_string(k.limit));
    row["roof_ratio"] =
        k.limit == analysis::Roof::kUnknown ? Json(nullptr) : Json(k.level_percent / 100);
    const auto findings = findings_at(r, k.label);
    const bool faulty = std::any_of(findings.begin(), findings.end(),
                                    [](const rules::Finding* f) { return !f->position; });
    const bool unknown = k.limit == analysis::Roof::kUnknown;
    row["state"] = faulty ? "improvable" : unknown ? "inconclusive" : "healthy";
    row["findings"] = rules_of(r, k.label);
    row["measured"] = measured_json(*a.profile, k);
    out.push_back(std::move(row));
  }
  return out;
}

std::vector<MeasuredLine> measured_lines(const WhyReport& r, const Style& style, std::size_t most) {
  const analysis::Analysis& a = *r.analysis;
  const std::vector<std::string> names = names_of(r, style);
  std::vector<MeasuredLine> out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    const analysis::MeasuredKernel& k = a.counters.kernels[i];
    MeasuredLine line;
    line.row =
        fmt::format("  {} {} {}  {} {}",
                    pad_right(fit_middle(names[i], kNameWidth, style.ellipsis()), kNameWidth),
                    pad_left(k.median.value > 0 ? human_time(k.median) : "?", 8),
                    pad_left(human_percent(share_of(a, k)), 7), pad_right(limit_words(k), 24),
                    "occ. " + occupancy_words(k));
    const auto findings = findings_at(r, k.label);
    if (!findings.empty() && !findings[0]->position) {
      line.finding = findings[0]->rule;
      if (!findings[0]->fixes.empty()) line.finding += ": " + findings[0]->fixes[0].text;
      line.ink = Ink::kAccent;
    }
    out.push_back(std::move(line));
  }
  if (names.size() > out.size())
    out.push_back({fmt::format("  {} more (-v)", names.size() - out.size()), {}, Ink::kDim});
  return out;
}

std::vector<std::string> flagged_lines(const WhyReport& r, std::size_t most) {
  std::vector<std::string> out;
  const analysis::Analysis& a = *r.analysis;
  std::size_t shown = 0;
  std::size_t all = 0;
  for (const analysis::MeasuredKernel& k : a.counters.kernels) {
    for (const analysis::FlaggedValue& f : k.flagged) {
      if (++all > most) continue;
      ++shown;
      out.push_back(
          printable(fmt::format("not used: {} = {} of {} ({})", f.metric, human_number(f.value),
                                model::kernel_base(k.label), f.why)));
    }
  }
  if (shown < all) out.push_back(fmt::format("{} more values were not used (-v)", all - shown));
  return out;
}

Table measured_table(const WhyReport& r, const Style& style) {
  const analysis::Analysis& a = *r.analysis;
  const std::vector<std::string> names = names_of(r, style);
  Table t;
  t.id = "measured_kernels";
  t.title = "Measured kernels (share: of the measured time)";
  t.columns = {{"name", "kernel", Unit::kText},         {"median_ns", "time", Unit::kNanos},
               {"ratio", "share", Unit::kRatio},        {"limit", "bound by", Unit::kText},
               {"occupancy", "occupancy", Unit::kText}, {"finding", "first finding", Unit::kText}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const analysis::MeasuredKernel& k = a.counters.kernels[i];
    const auto findings = findings_at(r, k.label);
    t.rows.push_back({names[i], k.median.value, share_of(a, k).value, limit_words(k),
                      occupancy_words(k), findings.empty() ? std::string() : findings[0]->rule});
  }
  return t;
}

}  // namespace rooflab::report
