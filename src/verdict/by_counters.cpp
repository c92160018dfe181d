// SPDX-License-Identifier: Apache-2.0
#include "verdict/by_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/human.h"
#include "model/kernel_key.h"

namespace rooflab::verdict {
namespace {

constexpr double kWorthwhileGain = 1.15;  // of one kernel; DESIGN section 4's threshold of a run
constexpr double kCloseMargin = 0.20;

struct Share {
  Limit limit;
  analysis::Roof roof;
  double weight = 0;
  const analysis::MeasuredKernel* largest = nullptr;
};

// Kernels weigh by their measured time; where none was measured, alike.
std::array<Share, 3> shares_of(const analysis::KernelCounters& counters, double& all) {
  std::array<Share, 3> shares{{{Limit::kMemory, analysis::Roof::kMemory},
                               {Limit::kCompute, analysis::Roof::kCompute},
                               {Limit::kLatency, analysis::Roof::kLatency}}};
  for (const analysis::MeasuredKernel& k : counters.kernels) {
    const double weight = counters.total.value > 0 ? static_cast<double>(k.sum.value) : 1;
    all += weight;
    for (Share& share : shares) {
      if (share.roof != k.limit) continue;
      if (share.largest == nullptr || k.sum > share.largest->sum) share.largest = &k;
      share.weight += weight;
    }
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.weight > b.weight; });
  return shares;
}

std::string level_words(const analysis::MeasuredKernel& k) {
  if (k.level.empty()) return fmt::format("its busiest part at {:.3g} %", k.level_percent);
  return fmt::format("{} at {:.3g} %", k.level, k.level_percent);
}

std::string worthwhile(const rules::Findings& findings) {
  const rules::Finding* best = nullptr;
  for (const rules::Finding& f : findings.fired) {
    if (f.position || f.kernel_bound < kWorthwhileGain) continue;
    if (best == nullptr || f.ratio.value > best->ratio.value) best = &f;
  }
  if (best == nullptr) return {};
  return fmt::format("{} costs {} up to {:.3g}x", best->rule, model::kernel_base(best->where),
                     best->kernel_bound);
}

}  // namespace

void choose_by_counters(const analysis::Analysis& a, const rules::Findings& findings, Verdict& v) {
  double all = 0;
  const std::array<Share, 3> shares = shares_of(a.counters, all);
  v.improvable_because = worthwhile(findings);
  const Share& leader = shares[0];
  if (leader.largest == nullptr || !(all > 0)) {
    if (!v.improvable_because.empty()) {
      v.summary = "The counters do not tell what limits the kernels, but " + v.improvable_because;
      return;
    }
    v.inconclusive_because =
        "the counters in the file do not tell what the kernels are bound by: record how busy "
        "memory and multiprocessors are";
    return;
  }
  v.limit = leader.limit;
  v.confidence = rules::Confidence::kMedium;  // counted, but of launches that ran alone
  const std::string name = model::kernel_base(a.profile->text(leader.largest->name));
  if (a.counters.kernels.size() == 1) {
    v.summary = fmt::format("{} alone, measured: bound by {} ({})", name, to_string(v.limit),
                            level_words(*leader.largest));
    return;
  }
  v.summary =
      fmt::format("{} measured kernels: {} of their time is bound by {}, most of it in {} ({})",
                  a.counters.kernels.size(), human_percent(Ratio{leader.weight / all}),
                  to_string(v.limit), name, level_words(*leader.largest));
  if (!(shares[1].weight > 0)) return;
  v.runner_up = shares[1].limit;
  v.margin_ratio = (leader.weight - shares[1].weight) / leader.weight;
  if (*v.margin_ratio < kCloseMargin)
    v.summary += fmt::format("; close to {}", to_string(v.runner_up));
}

}  // namespace rooflab::verdict
