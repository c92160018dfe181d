// SPDX-License-Identifier: Apache-2.0
// The host's launch path leaves the device idle although the kernels are not the reason: what the
// framework and the driver do for each launch takes longer than the kernel, which is not short. The
// finding is about the host's cost of a launch; where most kernels are shorter than a launch,
// `small_kernels` says it better and this rule is silent. Gaps between the nodes of one graph
// launch are no part of it: launching as a graph is its remedy.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/launch_path.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;

// The operator or call in which most of it lies.
std::string culprit(const analysis::Analysis& a, const LaunchPath& path) {
  for (const LaunchCause& cause : path.causes) {
    const std::string name(a.profile->text(cause.activity));
    if (!name.empty()) return name;
  }
  return "the launch path";
}

void add_causes(const analysis::Analysis& a, const LaunchPath& path, Finding& f) {
  std::size_t named = 0;
  for (const LaunchCause& cause : path.causes) {
    const std::string name(a.profile->text(cause.activity));
    f.evidence.push_back(
        {fmt::format("{} in {} gap{}: {} [{}]", human_time(cause.time), human_count(cause.gaps),
                     cause.gaps == 1 ? "" : "s", name.empty() ? "between call and start" : name,
                     cause.owner.substr(cause.owner.rfind('.') + 1)),
         "cause_ns", static_cast<double>(cause.time.value)});
    if (++named == 3) break;  // the first three name the culprit
  }
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const LaunchPath path = launch_path(a);
  const bool enough = path.kernels > 0 && path.host_share.value >= kLeastShare;
  if (!enough || kernels_are_the_reason(a, path)) return Clear{};

  Finding f;
  f.id = f.rule = "launch_bound";
  f.layer = Layer::kFramework;
  f.ratio = path.host_share;
  f.where = culprit(a, path);
  f.title = "launching leaves the device idle, most in " + f.where;
  f.owners = {"idle.in_call", "idle.dispatch", "idle.starved.framework"};
  f.remedy = {{"graph-launches", {}}};
  const auto each = [&](Nanos time) { return human_time(Nanos(time.value / path.kernels)); };
  f.evidence.push_back(
      {fmt::format("the device waits {} ({} of the window) for launches: {} for each of {} "
                   "kernels, which run {} on average",
                   human_time(path.host), human_percent(path.host_share), each(path.host),
                   human_count(path.kernels), each(path.kernel_time)),
       "launch_idle_ns", static_cast<double>(path.host.value)});
  add_causes(a, path, f);
  const bool ahead = a.metrics.total.run_ahead_median >= kMostRunAhead;
  f.evidence.push_back(
      {fmt::format("kernels start {} after their call (median of the whole file): {}",
                   human_time(a.metrics.total.run_ahead_median),
                   ahead ? "the host runs ahead for most of them, and is late for the rest"
                         : "the host does not run ahead"),
       "run_ahead_median_ns", static_cast<double>(a.metrics.total.run_ahead_median.value)});
  f.chain = {"the framework prepares each launch on the launching thread",
             "that takes longer than the device needs for the kernels before",
             "the device's queue runs empty"};
  f.falsifier =
      "time the step without a recorder with twice the batch: if it takes twice as long, the "
      "device and not the launching limits it";
  f.fixes = shipped_fixes(f.rule, {});
  if (waits_between_launches(a.blocking)) add_waits(a, f);
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_launch_bound() {
  return make_rule(
      {.id = "launch_bound",
       .layer = Layer::kFramework,
       .title = "The host's launch path leaves the device idle",
       .why = "For each launch the interpreter, the framework and the driver run on one thread. "
              "Where they need longer than the kernels queued so far, the device idles although "
              "its kernels are not short. Replaying launches as one graph, or compiling the model, "
              "takes the cost off the step.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle share; removing less gains below 1.11x"},
                      {"least_launches_per_wait", kLeastLaunchesPerWait,
                       "with fewer launches between calls that wait, those come first"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
