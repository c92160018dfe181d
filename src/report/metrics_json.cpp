// SPDX-License-Identifier: Apache-2.0
#include "report/metrics_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "report/names.h"

namespace rooflab::report {
namespace {

Json claims_json(model::Claim forbids) {
  Json out = Json::array();
  constexpr std::pair<model::Claim, const char*> kWords[] = {
      {model::Claim::kTimes, "times"},
      {model::Claim::kCoverage, "coverage"},
      {model::Claim::kLinks, "links"},
      {model::Claim::kHostCause, "host_cause"},
      {model::Claim::kMemory, "memory"}};
  for (const auto& [claim, word] : kWords) {
    if (model::includes(forbids, claim)) out.push_back(word);
  }
  return out;
}

Json copies_json(const std::vector<analysis::CopyGroup>& copies) {
  Json out = Json::array();
  for (const analysis::CopyGroup& group : copies) {
    Json row = Json::object();
    row["direction"] = std::string(direction_word(group.direction));
    row["memory"] = std::string(memory_word(group.memory));
    row["count"] = group.count;
    row["ns"] = group.sum.value;
    row["bytes"] = group.sized > 0 ? Json(group.bytes.value) : Json(nullptr);
    const double rate = group.bytes_per_second();
    row["bytes_per_second"] = rate > 0 ? Json(rate) : Json(nullptr);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

Json device_metrics_json(const analysis::DeviceMetrics& m) {
  Json out = Json::object();
  const auto launched = [&](Nanos n) { return m.launched > 0 ? Json(n.value) : Json(nullptr); };
  out["kernel_count"] = m.kernel_count;
  out["kernel_sum_ns"] = m.kernel_sum.value;
  out["kernel_union_ns"] = m.kernel_union.value;
  out["device_work_count"] = m.work_count;
  out["memset_count"] = m.memset_count;
  out["device_busy_ns"] = m.busy.value;
  out["device_span_ns"] = m.span.value;
  out["unlinked_count"] = m.unlinked;
  out["run_ahead_median_ns"] = launched(m.run_ahead_median);
  out["launch_call_median_ns"] = launched(m.launch_call_median);
  out["copies"] = copies_json(m.copies);
  return out;
}

Json devices_json(const model::Profile& p, const analysis::Metrics& metrics) {
  Json out = Json::array();
  for (const analysis::DeviceMetrics& device : metrics.devices) {
    const bool known = device.device.valid() && device.device.row < p.devices.size();
    Json row = Json::object();
    row["device"] = known ? Json(p.devices[device.device.row].index) : Json(nullptr);
    row["name"] = known ? std::string(p.text(p.devices[device.device.row].name)) : std::string();
    row.update(device_metrics_json(device));
    out.push_back(std::move(row));
  }
  return out;
}

Json hygiene_json(const model::Hygiene& hygiene) {
  Json out = Json::array();
  for (const model::HygieneNote& note : hygiene.notes()) {
    out.push_back({{"input", note.input},
                   {"code", note.code},
                   {"count", note.count},
                   {"hint", note.hint},
                   {"forbids", claims_json(note.forbids)}});
  }
  return out;
}

}  // namespace rooflab::report
