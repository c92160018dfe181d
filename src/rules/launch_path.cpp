// SPDX-License-Identifier: Apache-2.0
#include "rules/launch_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"

namespace rooflab::rules {
namespace {

constexpr std::array<const char*, 3> kHostBranches{"idle.in_call", "idle.dispatch",
                                                   "idle.starved.framework"};
constexpr const char* kGraphBranch = "idle.graph";

// Copies inside the device and sets are launched and captured like kernels.
bool is_link_copy(const model::Profile& p, model::WorkId work) {
  if (!work.valid() || work.row >= p.work.size()) return false;
  const model::CopyDirection d = p.work.direction[work.row];
  return d == model::CopyDirection::kHostToDevice || d == model::CopyDirection::kDeviceToHost ||
         d == model::CopyDirection::kPeerToPeer;
}

bool on_host_path(std::string_view owner) {
  return std::any_of(kHostBranches.begin(), kHostBranches.end(),
                     [&](const char* branch) { return analysis::in_branch(owner, branch); });
}

StringId name_of(const model::Profile& p, model::SpanId span) {
  return span.valid() && span.row < p.spans.size() ? p.spans.name[span.row] : StringId(0U);
}

void count_kernels(const analysis::KernelTable& table, LaunchPath& path) {
  for (const analysis::KernelRow& row : table.rows) {
    path.kernels += row.count;
    path.kernel_time += row.sum;
    if (row.median < kShortKernel) path.short_kernels += row.count;
  }
}

}  // namespace

double LaunchPath::short_ratio() const {
  return kernels > 0 ? static_cast<double>(short_kernels) / static_cast<double>(kernels) : 0;
}

LaunchPath launch_path(const analysis::Analysis& a) {
  LaunchPath path;
  std::map<std::pair<std::string_view, StringId>, LaunchCause> causes;
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    for (const analysis::Stretch& stretch : d.stretches) {
      const std::string& owner = d.owners[stretch.owner].owner;
      const Nanos time = stretch.end - stretch.start;
      if (analysis::in_branch(owner, kGraphBranch)) path.graph += time;
      if (!on_host_path(owner) || is_link_copy(*a.profile, stretch.work)) continue;
      path.host += time;
      LaunchCause& cause = causes[{owner, name_of(*a.profile, stretch.cause)}];
      cause.owner = owner;
      cause.activity = name_of(*a.profile, stretch.cause);
      cause.time += time;
      ++cause.gaps;
    }
  }
  for (auto& [key, cause] : causes) path.causes.push_back(std::move(cause));
  std::stable_sort(path.causes.begin(), path.causes.end(),
                   [](const LaunchCause& x, const LaunchCause& y) { return x.time > y.time; });
  const Nanos window = analysis::window_total(a.accounting);
  path.host_share = ratio_of(path.host, window);
  path.share = ratio_of(path.idle(), window);
  count_kernels(a.kernels, path);
  return path;
}

std::vector<std::string> launch_owners() {
  std::vector<std::string> owners(kHostBranches.begin(), kHostBranches.end());
  owners.emplace_back(kGraphBranch);
  return owners;
}

bool kernels_are_the_reason(const analysis::Analysis& a, const LaunchPath& path) {
  const bool host_keeps_up = a.metrics.total.run_ahead_median >= kMostRunAhead;
  return path.share.value >= kLeastSmallKernelsShare && path.short_ratio() >= kLeastShortRatio &&
         !host_keeps_up;
}

bool waits_between_launches(const analysis::BlockingCalls& blocking) {
  return blocking.count > 0 && static_cast<double>(blocking.launches) <
                                   kLeastLaunchesPerWait * static_cast<double>(blocking.count);
}

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
  f.remedy.insert(f.remedy.begin(), graph::ChangeCall{"remove-sync", {}});
}

}  // namespace rooflab::rules
