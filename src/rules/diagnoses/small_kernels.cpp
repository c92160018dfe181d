// SPDX-License-Identifier: Apache-2.0
// Short kernels between which the device waits for the next launch, which the host issues as fast
// as it can. Where calls that wait for the device stand between the launches, says so: those must
// go before anything can be captured and replayed. Says nothing when the host runs far ahead (the
// queue hides the launch cost) or when the gaps have another owner (input, synchronisation, the
// program's own code).
#include <fmt/format.h>

#include <array>

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

// A step may well wait once at its end; a wait for every few launches leaves no sequence worth
// capturing.
constexpr double kLeastLaunchesPerWait = 20;

// Idle that goes away when many launches become one.
constexpr std::array<const char*, 4> kBranches{"idle.in_call", "idle.dispatch", "idle.graph",
                                               "idle.starved.framework"};

Nanos launch_idle(const analysis::Accounting& accounting) {
  Nanos time;
  for (const char* branch : kBranches) {
    time += analysis::branch_time(accounting, branch);
  }
  return time;
}

struct Kernels {
  std::int64_t launches = 0, short_launches = 0;
  Nanos time;
};

Kernels count(const analysis::KernelTable& table) {
  Kernels k;
  for (const analysis::KernelRow& row : table.rows) {
    k.launches += row.count;
    k.time += row.sum;
    if (row.median < kShortKernel) k.short_launches += row.count;
  }
  return k;
}

bool waits_between_launches(const analysis::BlockingCalls& blocking) {
  return blocking.count > 0 && static_cast<double>(blocking.launches) <
                                   kLeastLaunchesPerWait * static_cast<double>(blocking.count);
}

// The waits first: they come before any other remedy.
void add_waits(const analysis::Analysis& a, Finding& f) {
  const analysis::BlockingCall& most = a.blocking.rows.front();
  const std::string call(a.profile->text(most.call));
  const std::string activity(a.profile->text(most.activity));
  f.evidence.insert(
      f.evidence.begin() + 1,
      {fmt::format("but {} calls among {} launches wait for the device, most in {}{}: these must "
                   "go first",
                   human_count(a.blocking.count), human_count(a.blocking.launches),
                   activity.empty() ? "" : activity + " > ", call),
       "blocking_calls_count", static_cast<double>(a.blocking.count)});
  f.chain = {call + " holds the host until the device has finished",
             "the next launch is prepared only after that",
             "the device's queue is empty after every few kernels"};
  f.falsifier =
      "leave the waits out once (keep the values on the device): if the step takes as long, they "
      "do not matter";
  f.fixes = shipped_fixes(f.rule, "blocking");
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const Nanos idle = launch_idle(a.accounting);
  const Ratio share = ratio_of(idle, analysis::window_total(a.accounting));
  const Kernels k = count(a.kernels);
  if (k.launches == 0) return Clear{};
  const double short_ratio =
      static_cast<double>(k.short_launches) / static_cast<double>(k.launches);
  const bool host_keeps_up = a.metrics.total.run_ahead_median >= kMostRunAhead;
  if (share.value < kLeastShare || short_ratio < kLeastShortRatio || host_keeps_up) return Clear{};

  Finding f;
  f.id = f.rule = "small_kernels";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.where = a.kernels.rows.empty() ? "" : std::string(a.profile->text(a.kernels.rows.front().name));
  f.title = "the device waits between short kernels";
  f.owners.assign(kBranches.begin(), kBranches.end());
  const auto each = [&](Nanos time) { return human_time(Nanos(time.value / k.launches)); };
  f.evidence.push_back(
      {fmt::format("the device waits {} ({} of the window) for launches: {} for each kernel, which "
                   "then runs {} on average",
                   human_time(idle), human_percent(share), each(idle), each(k.time)),
       "launch_idle_ns", static_cast<double>(idle.value)});
  f.evidence.push_back({fmt::format("{} of {} kernels are of kinds with a median below {}",
                                    human_count(k.short_launches), human_count(k.launches),
                                    human_time(kShortKernel)),
                        "short_kernels_ratio", short_ratio});
  f.evidence.push_back(
      {fmt::format(
           "a launch call takes {}, and kernels start {} after it (medians of the whole file): "
           "the host does not run ahead",
           human_time(a.metrics.total.launch_call_median),
           human_time(a.metrics.total.run_ahead_median)),
       "run_ahead_median_ns", static_cast<double>(a.metrics.total.run_ahead_median.value)});
  f.chain = {"each small operator is launched on its own",
             "the host needs longer for the next launch than the kernel runs",
             "the device's queue is empty after every kernel"};
  f.falsifier =
      "double the batch: if the step takes as long as before, launches and not work fill it";
  f.fixes = shipped_fixes(f.rule, {});
  if (waits_between_launches(a.blocking)) add_waits(a, f);
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_small_kernels() {
  return make_rule(
      {.id = "small_kernels",
       .layer = Layer::kFramework,
       .title = "The device waits between short kernels",
       .why = "A launch costs the host several microseconds in the framework and the driver. "
              "Kernels below that leave "
              "the device idle between them; replaying many launches as one graph or fusing them "
              "removes the cost, once no call between them waits for the device.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle share from which profilers call a device under-used"},
                      {"short_kernel_ns", static_cast<double>(kShortKernel.value),
                       "launch calls cost 3-12 us in the recordings at hand"},
                      {"least_short_ratio", kLeastShortRatio,
                       "share of launches that are short: most of them"},
                      {"most_run_ahead_ns", static_cast<double>(kMostRunAhead.value),
                       "with more than this queued the device does not wait for the host"},
                      {"least_launches_per_wait", kLeastLaunchesPerWait,
                       "with fewer launches between calls that wait, those come first"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
