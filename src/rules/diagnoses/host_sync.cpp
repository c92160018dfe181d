// SPDX-License-Identifier: Apache-2.0
// Calls between the launches in which the host waits for the device: reading values back, explicit
// synchronisation. Nothing is queued while the host waits, so the device idles until the next
// launch. A wait now and then (the end of a step) is no finding, and waits of small copies to the
// device are `small_copies`. Needs launch records.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/copies.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;
constexpr double kMostLaunchesPerWait = 20;

std::string words(const analysis::Analysis& a, const analysis::BlockingCall& call) {
  const std::string activity(a.profile->text(call.activity));
  return (activity.empty() ? "" : activity + " > ") + std::string(a.profile->text(call.call));
}

// By name where all waits are of one operator; else every wait of the window goes.
graph::ChangeCall remedy_for(const analysis::Analysis& a) {
  const std::vector<analysis::BlockingCall>& rows = a.blocking.rows;
  const StringId activity = rows.front().activity;
  const bool one = std::all_of(rows.begin(), rows.end(), [&](const analysis::BlockingCall& row) {
    return row.activity == activity;
  });
  const std::string name(a.profile->text(activity));
  if (!one || name.empty()) return {"remove-sync", {}};
  return {"remove-sync", {name}};
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const analysis::BlockingCalls& blocking = a.blocking;
  const Ratio share = ratio_of(blocking.idle, analysis::window_total(a.accounting));
  const bool often =
      blocking.count > 0 && static_cast<double>(blocking.launches) <
                                kMostLaunchesPerWait * static_cast<double>(blocking.count);
  if (!often || share.value < kLeastShare || copies_make_the_waits(a)) return Clear{};
  Finding f;
  f.id = f.rule = "host_sync";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"idle.starved.sync"};
  f.remedy = {remedy_for(a)};
  f.where = words(a, blocking.rows.front());
  f.title = "the host waits for the device between launches: " + f.where;
  f.evidence.push_back(
      {fmt::format("{} calls wait among {} launches; the device idles {} ({} of the window) in "
                   "them and the operators around them",
                   human_count(blocking.count), human_count(blocking.launches),
                   human_time(blocking.idle), human_percent(share)),
       "blocking_idle_ns", static_cast<double>(blocking.idle.value)});
  for (const analysis::BlockingCall& call : blocking.rows) {
    f.evidence.push_back({fmt::format("{}: {} calls, {} in the call itself", words(a, call),
                                      human_count(call.count), human_time(call.time)),
                          "blocking_call_ns", static_cast<double>(call.time.value)});
    if (f.evidence.size() == 4) break;  // the first three name the culprit
  }
  f.chain = {f.where + " holds the host until the device has finished",
             "the next launch is prepared only after that",
             "the device's queue is empty after every few kernels"};
  f.falsifier =
      "leave the waits out once (keep the values on the device): if the step takes as long, they "
      "do not matter";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_host_sync() {
  return make_rule(
      {.id = "host_sync",
       .layer = Layer::kFramework,
       .title = "The host waits for the device between launches",
       .why = "A call that waits returns only when all queued work is done. Until the next launch "
              "arrives the device has nothing to do, and no sequence of launches across the wait "
              "can be captured as a graph.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle in the waits and the operators around them, share of the window"},
                      {"most_launches_per_wait", kMostLaunchesPerWait,
                       "launches between two waits; with more the queue hides most of a wait"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
