// SPDX-License-Identifier: Apache-2.0
// Short kernels between which the device waits for the next launch, which the host issues as fast
// as it can. Where calls that wait for the device stand between the launches, says so: those must
// go before anything can be captured and replayed. Says nothing when the host runs far ahead (the
// queue hides the launch cost) or when the gaps have another owner (input, synchronisation, the
// program's own code).
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/launch_path.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const LaunchPath path = launch_path(a);
  if (path.kernels == 0 || !kernels_are_the_reason(a, path)) return Clear{};

  Finding f;
  f.id = f.rule = "small_kernels";
  f.layer = Layer::kFramework;
  f.ratio = path.share;
  f.where = std::string(a.profile->text(a.kernels.rows.front().name));
  f.title = "the device waits between short kernels";
  f.owners = launch_owners();
  f.remedy = {{"graph-launches", {}}};
  const auto each = [&](Nanos time) { return human_time(Nanos(time.value / path.kernels)); };
  f.evidence.push_back(
      {fmt::format("the device waits {} ({} of the window) for launches: {} for each kernel, which "
                   "then runs {} on average",
                   human_time(path.idle()), human_percent(path.share), each(path.idle()),
                   each(path.kernel_time)),
       "launch_idle_ns", static_cast<double>(path.idle().value)});
  f.evidence.push_back({fmt::format("{} of {} kernels are of kinds with a median below {}",
                                    human_count(path.short_kernels), human_count(path.kernels),
                                    human_time(kShortKernel)),
                        "short_kernels_ratio", path.short_ratio()});
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
       .thresholds = {{"least_share_ratio", kLeastSmallKernelsShare,
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
