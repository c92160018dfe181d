// SPDX-License-Identifier: Apache-2.0
// Communication between ranks that no computation hides. One rank's file cannot tell moving data
// from waiting for a rank that comes later; where the other ranks' files were given, the waiting is
// an owner of its own (comm.exposed.wait) and no part of this finding.
#include <fmt/format.h>

#include <map>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;

struct Exposed {
  Nanos time, unsplit;
  StringId most;  // the kernel that owns most of it
  Nanos most_time;
  std::int64_t kernels = 0;  // different launches with a part in it
};

bool counts(std::string_view owner) {
  return analysis::in_branch(owner, "comm.exposed") &&
         !analysis::in_branch(owner, "comm.exposed.wait");
}

Exposed exposed_comm(const analysis::Analysis& a) {
  Exposed out;
  std::map<StringId, Nanos> by_name;
  std::map<std::uint32_t, bool> seen;
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    for (const analysis::Stretch& stretch : d.stretches) {
      const std::string& owner = d.owners[stretch.owner].owner;
      if (!counts(owner)) continue;
      const Nanos time = stretch.end - stretch.start;
      out.time += time;
      if (analysis::in_branch(owner, "comm.exposed.unsplit")) out.unsplit += time;
      if (!stretch.work.valid() || stretch.work.row >= a.profile->work.size()) continue;
      by_name[a.profile->work.name[stretch.work.row]] += time;
      seen[stretch.work.row] = true;
    }
  }
  out.kernels = static_cast<std::int64_t>(seen.size());
  for (const auto& [name, time] : by_name) {
    if (time <= out.most_time) continue;
    out.most = name;
    out.most_time = time;
  }
  return out;
}

// Up to the argument list or template arguments: enough to say which collective it is.
std::string short_name(std::string_view kernel) {
  return std::string(kernel.substr(0, kernel.find_first_of("(<")));
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const Exposed comm = exposed_comm(a);
  const Ratio share = ratio_of(comm.time, analysis::window_total(a.accounting));
  if (share.value < kLeastShare) return Clear{};
  Nanos hidden;
  for (const analysis::DeviceAccounting& d : a.accounting.devices) hidden += d.hidden_comm;

  Finding f;
  f.id = f.rule = "comm_exposed";
  f.layer = Layer::kSystem;
  f.ratio = share;
  f.owners = {"comm.exposed.transfer", "comm.exposed.unsplit"};
  f.remedy = {{"overlap-comm", {}}};
  f.where = short_name(a.profile->text(comm.most));
  f.title = "communication that nothing hides" + (f.where.empty() ? "" : ": " + f.where);
  f.evidence.push_back(
      {fmt::format("{} of the window ({}) is communication with no computation "
                   "beside it, in {} collectives",
                   human_time(comm.time), human_percent(share), human_count(comm.kernels)),
       "exposed_ns", static_cast<double>(comm.time.value)});
  f.evidence.push_back(
      {fmt::format("hidden beside computation: {} ({} of all communication)", human_time(hidden),
                   human_percent(ratio_of(hidden, hidden + comm.time))),
       "hidden_ns", static_cast<double>(hidden.value)});
  if (comm.unsplit.value > 0) {
    f.confidence = Confidence::kLow;
    f.evidence.push_back(
        {"how much of it waits for a later rank is not known from one rank's file: give all ranks' "
         "files",
         "unsplit_ns", static_cast<double>(comm.unsplit.value)});
  }
  f.chain = {"a collective starts when its data is ready on every rank",
             "nothing independent is queued beside it", "the device's compute units wait for it"};
  f.falsifier =
      "compare the ranks: if this rank's collectives last longer than the last arriving rank's, "
      "they wait for that rank and do not move data";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_comm_exposed() {
  return make_rule(
      {.id = "comm_exposed",
       .layer = Layer::kSystem,
       .title = "Communication that nothing hides",
       .why = "Gradients can be exchanged while the rest of the backward pass computes, and "
              "parameters fetched while earlier layers run. Communication at the end of the step, "
              "in too few or too late pieces, has nothing beside it.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window; an established profiler warns from 10 %"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
