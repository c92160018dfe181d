// SPDX-License-Identifier: Apache-2.0
#include "rules/measured_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/human.h"
#include "model/kernel_key.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"

namespace rooflab::rules {
namespace {

constexpr std::size_t kLongestName = 48;

// Of the window where there is one, else of what was measured.
Ratio share_of(const analysis::Analysis& a, const analysis::MeasuredKernel& kernel) {
  if (!a.accounting.devices.empty()) return share_of_window(a, kernel.window_time);
  return ratio_of(kernel.sum, a.counters.total);
}

}  // namespace

Outcome each_kernel(const analysis::Analysis& a, const char* needs, const KernelCheck& check) {
  std::vector<Finding> findings;
  bool evaluated = false;
  for (const analysis::MeasuredKernel& kernel : a.counters.kernels) {
    KernelJudgement judged = check(a, kernel);
    evaluated = evaluated || judged.evaluated;
    if (judged.finding) findings.push_back(std::move(*judged.finding));
  }
  if (!evaluated) return NotEvaluated{needs};
  if (findings.empty()) return Clear{};
  return findings;
}

Finding kernel_finding(const analysis::Analysis& a, const analysis::MeasuredKernel& kernel,
                       const char* rule, FaultOrder order, double bound,
                       std::string_view fix_condition) {
  Finding f;
  f.rule = rule;
  f.layer = Layer::kKernel;
  f.ratio = share_of(a, kernel);
  f.of_measured = a.accounting.devices.empty();
  f.order = static_cast<int>(order);
  f.position = order == FaultOrder::kPosition;
  f.confidence = Confidence::kMedium;
  f.where = kernel.label;
  if (!kernel.works.empty())
    f.where = a.profile->text(a.profile->work.name[kernel.works.front().row]);
  f.id = f.rule + ":" + kernel.label;
  f.fixes = shipped_fixes(rule, fix_condition);
  if (!(bound > 1)) return f;
  f.kernel_bound = bound;
  const double rest = f.ratio.value * (1 - 1 / bound);
  if (rest > 0 && rest < 1) {
    Gain gain;
    gain.high = 1 / (1 - rest);
    gain.bound = true;
    f.gain = gain;
  }
  return f;
}

std::string short_name(const analysis::Analysis& a, const analysis::MeasuredKernel& kernel) {
  std::string name = model::kernel_base(a.profile->text(kernel.name));
  if (kernel.label.size() > a.profile->text(kernel.name).size())
    name += kernel.label.substr(a.profile->text(kernel.name).size());
  if (name.size() > kLongestName) name = name.substr(0, kLongestName) + "…";
  return name;
}

std::string percent(double value) { return fmt::format("{:.3g} %", value); }

std::string amount(double count) {
  if (count >= 1e12) return fmt::format("{:.3g} trillion", count / 1e12);
  if (count >= 1e9) return fmt::format("{:.3g} billion", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.3g} million", count / 1e6);
  return human_count(std::llround(std::max(count, 0.0)));
}

std::string stall_words(std::string_view metric) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kWords{
      {{"stall_barrier", "waiting at a barrier"},
       {"stall_global_memory", "waiting for data from global or local memory"},
       {"stall_local_global_queue", "the queue of global and local accesses is full"},
       {"stall_shared_memory", "waiting for shared memory"},
       {"stall_shared_queue", "the queue of shared memory accesses is full"},
       {"stall_drain", "waiting for stores at the end"},
       {"stall_math_pipe", "the arithmetic pipe is busy"},
       {"stall_wait", "waiting for the previous instruction"},
       {"stall_memory_fence", "waiting at a memory fence"},
       {"stall_no_instruction", "waiting for instructions"},
       {"stall_constant_cache", "waiting for constants"},
       {"stall_gmma", "waiting for matrix instructions"}}};
  for (const auto& [id, words] : kWords) {
    if (id == metric) return std::string(words);
  }
  return std::string(metric.starts_with("stall_") ? metric.substr(6) : metric);
}

BlockLimit block_limit(const analysis::MeasuredKernel& kernel) {
  constexpr std::array<std::string_view, 5> kLimits{
      {"registers", "shared_memory", "warps", "blocks", "barriers"}};
  BlockLimit out;
  for (const std::string_view name : kLimits) {
    const double blocks = kernel.value_or(fmt::format("occupancy_limit_{}", name), 0);
    if (!(blocks > 0)) continue;
    if (out.blocks == 0 || blocks < out.blocks) out.limiters.clear();
    if (out.limiters.empty()) out.blocks = blocks;
    if (blocks == out.blocks) out.limiters.emplace_back(name);
  }
  return out;
}

double headroom(const analysis::MeasuredKernel& kernel) {
  return kernel.level_percent > 0 ? 100 / kernel.level_percent : 0;
}

}  // namespace rooflab::rules
