// SPDX-License-Identifier: Apache-2.0
// One rank of a job that the others wait for in nearly every step. Judged by who arrives last at
// the collectives, clocks aligned: the late rank's own collectives are the shortest, so the long
// ones of another rank are no evidence against that rank. Needs the files of all ranks.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "graph/late_rank.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

std::string time(double ns) { return human_time(Nanos(static_cast<std::int64_t>(ns))); }

std::string activity_words(const analysis::Activity& activity) {
  const std::string kind(analysis::to_string(activity.host_class));
  return activity.label.empty() ? "host time of kind " + kind : activity.label;
}

// What the late rank does longer than the others; empty where nothing recorded tells.
std::string culprit(const graph::LateRank& late, const analysis::RankComparison& ranks) {
  if (late.on_device) return "its device work";
  return ranks.excess.empty() ? std::string() : activity_words(ranks.excess[0]);
}

void add_excess(const analysis::RankComparison& ranks, std::int64_t rank, Finding& f) {
  for (std::size_t i = 0; i < std::min<std::size_t>(2, ranks.excess.size()); ++i) {
    const analysis::Activity& a = ranks.excess[i];
    f.evidence.push_back({fmt::format("{}: {} a step on rank {}, {} on the others (median)",
                                      activity_words(a), time(a.own_ns), rank, time(a.typical_ns)),
                          "excess_ns", a.excess_ns()});
  }
  if (ranks.device_own_ns > ranks.device_typical_ns) {
    f.evidence.push_back(
        {fmt::format("device work without collectives: {} a step on rank {}, {} on the others",
                     time(ranks.device_own_ns), rank, time(ranks.device_typical_ns)),
         "device_excess_ns", ranks.device_own_ns - ranks.device_typical_ns});
  }
}

void add_waits(const analysis::Analysis& a, Finding& f) {
  for (std::size_t place = 0; place < a.ranks->ranks.size(); ++place) {
    const analysis::RankShare& rank = a.ranks->ranks[place];
    f.evidence.push_back(
        {fmt::format("rank {}: waits {} a step in collectives, is waited for {}",
                     a.job->ranks[place].rank, time(rank.waited_ns), time(rank.caused_ns)),
         fmt::format("rank{}_waited_ns", a.job->ranks[place].rank), rank.waited_ns});
    if (f.evidence.size() >= 8) return;  // large jobs: JSON has all ranks
  }
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  if (a.ranks == nullptr) {
    if (a.profile->rank.world_size <= 1) return Clear{};
    return NotEvaluated{"the files of all ranks, given together"};
  }
  const auto late = graph::late_rank(a);
  if (!late) return Clear{};
  const analysis::RankComparison& ranks = *a.ranks;
  const analysis::RankShare& share = ranks.ranks[late->place];
  const analysis::Analysis& own = *ranks.analyses[late->place];
  const auto steps = static_cast<double>(ranks.steps);
  const double step = static_cast<double>(own.window.length().value) / steps;
  Finding f;
  f.id = f.rule = "straggler";
  f.layer = Layer::kSystem;
  f.ratio = Ratio{step > 0 ? std::min(1.0, late->wait_ns / step) : 0};
  f.owners = {"comm.exposed.wait"};
  f.where = culprit(*late, ranks);
  f.title = fmt::format("rank {} is late and the other ranks wait for it{}", late->rank,
                        f.where.empty() ? "" : ": " + f.where);
  f.evidence.push_back(
      {fmt::format("rank {} arrives last in {} of {} steps; the others wait {} of {} a step for it",
                   late->rank, share.steps_last, ranks.steps, time(late->wait_ns), time(step)),
       "wait_ns", late->wait_ns});
  add_excess(ranks, late->rank, f);
  if (late->recorder_ns > 0) {
    f.evidence.push_back(
        {fmt::format("recording cost its host at most {} of that", time(late->recorder_ns)),
         "recorder_ns", late->recorder_ns});
  }
  add_waits(a, f);
  f.chain = {fmt::format("rank {} spends longer before its collectives{}", late->rank,
                         f.where.empty() ? "" : " (" + f.where + ")"),
             "a collective moves data only when every rank has arrived",
             "the other ranks' devices sit in the collective until then, which looks like work"};
  f.falsifier = fmt::format(
      "let every rank do what rank {} does, or give its part to another rank: if the same rank "
      "stays late, its machine is slow and not its work",
      late->rank);
  f.fixes = shipped_fixes(f.rule, late->on_device ? "device" : "");
  f.remedy = {{"balance-ranks", {}}};
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_straggler() {
  return make_rule(
      {.id = "straggler",
       .layer = Layer::kSystem,
       .title = "One rank is late and the others wait for it",
       .why = "Ranks meet in every collective. The one that comes last makes the others wait, and "
              "its own collectives look short while theirs look long.",
       .thresholds = {{"least_steps_last_ratio", graph::kLeastStepsLast,
                       "share of steps in which one rank is last; chance spreads over ranks"},
                      {"least_wait_ratio", graph::kLeastWait,
                       "share of a step that the others wait for it, beyond what recording may "
                       "have cost its host"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
