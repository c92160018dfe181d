// SPDX-License-Identifier: Apache-2.0
// Kernels so short that launching them takes longer than running them: the device idles between
// launches that the host issues as fast as it can. Says nothing when the host runs far ahead (the
// queue hides the launch cost) or when the gaps have another owner (input, synchronisation, the
// program's own code).
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.15;
constexpr Nanos kShortKernel{10'000};
constexpr double kLeastShortRatio = 0.5;
constexpr Nanos kMostRunAhead{20'000};

// Idle that goes away when many launches become one.
Nanos launch_idle(const analysis::Accounting& accounting) {
  Nanos time;
  for (const char* branch :
       {"idle.in_call", "idle.dispatch", "idle.graph", "idle.starved.framework"}) {
    time += analysis::branch_time(accounting, branch);
  }
  return time;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const Nanos idle = launch_idle(a.accounting);
  const Ratio share = ratio_of(idle, analysis::window_total(a.accounting));
  std::int64_t launches = 0;
  std::int64_t short_launches = 0;
  Nanos sum;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    launches += row.count;
    sum += row.sum;
    if (row.median < kShortKernel) short_launches += row.count;
  }
  if (launches == 0) return Clear{};
  const double short_ratio = static_cast<double>(short_launches) / static_cast<double>(launches);
  const bool host_keeps_up = a.metrics.total.run_ahead_median >= kMostRunAhead;
  if (share.value < kLeastShare || short_ratio < kLeastShortRatio || host_keeps_up) return Clear{};

  Finding f;
  f.id = f.rule = "small_kernels";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.where = a.kernels.rows.empty() ? "" : std::string(a.profile->text(a.kernels.rows.front().name));
  f.title = "kernels are shorter than their launches";
  f.evidence.push_back({fmt::format("the device idles {} of the window ({}) between launches",
                                    human_time(idle), human_percent(share)),
                        "launch_idle_ns", static_cast<double>(idle.value)});
  f.evidence.push_back(
      {fmt::format("{} of {} kernels are of kinds with a median below {}; all together run {}",
                   human_count(short_launches), human_count(launches), human_time(kShortKernel),
                   human_time(sum)),
       "short_kernels_ratio", short_ratio});
  f.evidence.push_back(
      {fmt::format(
           "a launch call takes {} (median), and kernels start {} after it: the host does not "
           "run ahead",
           human_time(a.metrics.total.launch_call_median),
           human_time(a.metrics.total.run_ahead_median)),
       "run_ahead_median_ns", static_cast<double>(a.metrics.total.run_ahead_median.value)});
  f.chain = {"each small operator is launched on its own",
             "a launch costs the host more than the kernel runs",
             "the device's queue is empty after every kernel"};
  f.falsifier =
      "double the batch: if the step takes as long as before, launches and not work fill it";
  f.fixes = shipped_fixes(f.rule, f.where);
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_small_kernels() {
  return make_rule(
      {.id = "small_kernels",
       .layer = Layer::kFramework,
       .title = "Kernels shorter than their launches",
       .why = "A launch costs the host several microseconds in the framework and the driver. "
              "Kernels below that leave "
              "the device idle between them; replaying many launches as one graph or fusing them "
              "removes the cost.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle share from which profilers call a device under-used"},
                      {"short_kernel_ns", static_cast<double>(kShortKernel.value),
                       "launch calls cost 3-12 us in the recordings at hand"},
                      {"least_short_ratio", kLeastShortRatio,
                       "share of launches that are short: most of them"},
                      {"most_run_ahead_ns", static_cast<double>(kMostRunAhead.value),
                       "with more than this queued the device does not wait for the host"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
