// SPDX-License-Identifier: Apache-2.0
// The device waits because the next batch is not there yet: gaps in which the launching thread was
// inside a data loading activity. Needs launch records, so that a gap can be followed to the host.
// Says nothing about gaps that merely follow a loader call.
#include <fmt/format.h>

#include "analysis/idle_causes.h"
#include "analysis/markers.h"
#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr const char* kBranch = "idle.starved.input";
constexpr double kLeastShare = 0.05;
// What loaders' manuals start from; said with the finding, since the cores are not known.
constexpr int kStatedWorkers = 4;

std::string marker_of(std::string_view owner) {
  const std::size_t colon = owner.find(':');
  return colon == std::string_view::npos ? "the input pipeline"
                                         : std::string(owner.substr(colon + 1));
}

// Frameworks append the method after a '#': too long for a title.
std::string short_marker(const std::string& marker) { return marker.substr(0, marker.find('#')); }

// True where the waiting activity's own name says that worker processes or threads exist.
bool has_workers(const model::Profile& p, StringId activity) {
  const std::string_view name = p.text(activity);
  const auto says = [&](analysis::NameUse use) {
    return (analysis::MarkerPatterns::shipped().match(name, use) &
            analysis::bit(analysis::Marker::kInputWorkers)) != 0;
  };
  return says(analysis::NameUse::kRange) || says(analysis::NameUse::kFrame);
}

std::vector<std::string> chain_of(const std::string& marker, bool workers) {
  if (workers) {
    return {"worker processes prepare the batches and hand them over through a queue",
            "the launching thread waits in " + marker + ": the queue is empty",
            "the device has nothing queued and idles"};
  }
  return {marker + " runs on the thread that launches device work",
          "the next launch comes only after it returns", "the device has nothing queued and idles"};
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const Ratio share = analysis::branch_ratio(a.accounting, kBranch);
  if (share.value < kLeastShare) return Clear{};
  const Nanos starved = analysis::branch_time(a.accounting, kBranch);
  Finding f;
  f.id = f.rule = "input_starved";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.evidence.push_back(
      {fmt::format("the device is idle for {} of the window ({}) while input is prepared",
                   human_time(starved), human_percent(share)),
       "starved_ns", static_cast<double>(starved.value)});
  std::string marker;
  bool workers = false;
  for (const analysis::IdleCause& cause : analysis::idle_causes(*a.profile, a.accounting)) {
    if (!analysis::in_branch(cause.owner, kBranch)) continue;
    if (marker.empty()) {
      marker = marker_of(cause.owner);
      workers = has_workers(*a.profile, cause.activity);
    }
    f.evidence.push_back(
        {fmt::format("{} in {} gap{}, the longest {}: {}", human_time(cause.time),
                     human_count(cause.gaps), cause.gaps == 1 ? "" : "s", human_time(cause.longest),
                     short_marker(marker_of(cause.owner))),
         "cause_ns", static_cast<double>(cause.time.value)});
    if (f.evidence.size() == 4) break;  // the first three activities name the culprit
  }
  if (marker.empty()) marker = "the input pipeline";
  f.where = marker;
  f.title = "the device waits for input: " + short_marker(marker);
  if (workers) {
    f.evidence.push_back(
        {"its name says that workers exist: they deliver more slowly than the device computes", "",
         0});
  }
  f.owners = {kBranch};
  if (workers) {
    f.remedy = {{"feed-loader", {}}};
  } else {
    f.evidence.push_back({fmt::format("the gain is computed for {} workers: how many cores are "
                                      "free stands nowhere in the file",
                                      kStatedWorkers),
                          "stated_workers_count", kStatedWorkers});
    f.remedy = {{"loader-workers", {std::to_string(kStatedWorkers)}}};
  }
  f.chain = chain_of(short_marker(marker), workers);
  f.falsifier =
      "feed the same step one batch that is already in device memory: if the step takes as long, "
      "input is not what limits it";
  f.fixes = shipped_fixes(f.rule, workers ? "workers" : "");
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_input_starved() {
  return make_rule(
      {.id = "input_starved",
       .layer = Layer::kFramework,
       .title = "The device waits for input",
       .why = "Reading, decoding or collating the next batch on the thread that launches work, or "
              "waiting there for workers that do it, leaves the device with an empty queue. The "
              "share is the idle time whose ending launch was held up inside "
              "such an activity.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window; two established profilers warn from 5 % of the step"},
                      {"stated_workers", kStatedWorkers,
                       "workers that the gain is computed for where none exist yet"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
