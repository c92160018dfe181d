// SPDX-License-Identifier: Apache-2.0
// Memory in use on the device grows from every step to the next: something keeps what each step
// made (results with their history, a growing list), and the run will end out of memory. Needs the
// allocator's totals and at least four steps. Caches that grow once and stay say nothing.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastGrowth = 0.01;
constexpr std::size_t kLeastSteps = 4;

// In use at the end of each host unit, by device: the last total before it.
std::map<std::int32_t, std::vector<std::int64_t>> at_step_ends(const analysis::Analysis& a) {
  const model::MemoryEventTable& events = a.profile->memory_events;
  std::map<std::int32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> totals;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events.device_type[i] != model::MemoryDevice::kDevice || events.total_allocated[i] < 0) {
      continue;
    }
    totals[events.device_index[i]].emplace_back(events.time[i], events.total_allocated[i]);
  }
  std::map<std::int32_t, std::vector<std::int64_t>> out;
  const analysis::Window& w = a.window;
  for (auto& [device, rows] : totals) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    std::size_t next = 0;
    for (std::size_t i = w.first_unit; i < w.first_unit + w.unit_count && i < a.units.units.size();
         ++i) {
      while (next < rows.size() && rows[next].first <= a.units.units[i].host_end.value) ++next;
      if (next > 0) out[device].push_back(rows[next - 1].second);
    }
  }
  return out;
}

bool grows(const std::vector<std::int64_t>& in_use) {
  if (in_use.size() < kLeastSteps) return false;
  for (std::size_t i = 1; i < in_use.size(); ++i) {
    const auto before = static_cast<double>(in_use[i - 1]);
    if (before <= 0 || static_cast<double>(in_use[i]) < before * (1 + kLeastGrowth)) return false;
  }
  return true;
}

Outcome check(const analysis::Analysis& a, const WithMemoryEvents& /*has*/) {
  if (a.window.unit_count < kLeastSteps) {
    return NotEvaluated{fmt::format("at least {} steps", kLeastSteps)};
  }
  std::vector<Finding> out;
  for (const auto& [device, in_use] : at_step_ends(a)) {
    if (!grows(in_use)) continue;
    const auto steps = static_cast<std::int64_t>(in_use.size()) - 1;
    const Bytes each((in_use.back() - in_use.front()) / steps);
    Finding f;
    f.rule = "allocation_growth";
    f.id = fmt::format("{}:{}", f.rule, device);
    f.layer = Layer::kFramework;
    f.where = fmt::format("device {}", device);
    f.title = fmt::format("memory in use grows with every step on device {}", device);
    f.evidence.push_back(
        {fmt::format("in use at the end of a step: {} after the first, {} after {} more: {} a step",
                     human_bytes(Bytes(in_use.front())), human_bytes(Bytes(in_use.back())),
                     human_count(steps), human_bytes(each)),
         "growth_bytes", static_cast<double>(each.value)});
    f.chain = {"a step keeps a reference to something it made", "its memory cannot be used again",
               "in the end the device is full"};
    f.falsifier = "record later steps: if the total no longer grows, it was warm-up";
    f.fixes = shipped_fixes(f.rule, {});
    out.push_back(std::move(f));
  }
  if (out.empty()) return Clear{};
  return out;
}

}  // namespace

Rule rule_allocation_growth() {
  return make_rule(
      {.id = "allocation_growth",
       .layer = Layer::kFramework,
       .title = "Memory in use grows with every step",
       .why = "In a steady loop each step gives back what it took. Growth from every step to the "
              "next means that something is kept, most often a result together with the history "
              "that computed it.",
       .thresholds = {{"least_growth_ratio", kLeastGrowth,
                       "growth a step that rounding and caches do not explain"},
                      {"least_steps", static_cast<double>(kLeastSteps),
                       "steps in a row that must grow"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
