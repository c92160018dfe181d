// SPDX-License-Identifier: Apache-2.0
// Forward work done a second time inside the backward pass (activation checkpointing): bought with
// time to save memory. A finding only says what it costs; where memory is short the price is right.
#include "analysis/recompute.h"

#include <fmt/format.h>

#include <map>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

struct Again {
  std::int64_t kernels = 0;
  Nanos time;
};

// Device work of re-run operators that starts inside its device's window.
Again device_work(const analysis::Analysis& a, const analysis::Recompute& recompute) {
  Again out;
  const model::WorkTable& work = a.profile->work;
  for (std::size_t row = 0; row < work.size(); ++row) {
    const model::SpanId launch = work.launch[row];
    if (!launch.valid() || launch.row >= recompute.again.size() || !recompute.again[launch.row]) {
      continue;
    }
    const bool inside =
        work.start[row] >= a.window.start.value && work.start[row] < a.window.end.value;
    if (!inside) continue;
    ++out.kernels;
    out.time = Nanos(saturating_add(out.time.value, work.duration[row]));
  }
  return out;
}

// The operator that is re-run most often.
std::string most_often(const analysis::Analysis& a, const analysis::Recompute& recompute) {
  std::map<StringId, std::int64_t> counts;
  for (const model::SpanId root : recompute.roots) ++counts[a.profile->spans.name[root.row]];
  StringId most;
  std::int64_t largest = 0;
  for (const auto& [name, count] : counts) {
    if (count <= largest) continue;
    largest = count;
    most = name;
  }
  return largest > 0 ? std::string(a.profile->text(most)) : std::string();
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/, const WithHostOps& /*has*/, const WithShapes& /*has*/) {
  const analysis::Recompute recompute = analysis::find_recompute(*a.profile, a.tree);
  if (recompute.roots.empty()) return Clear{};
  const Again again = device_work(a, recompute);
  const Ratio share = ratio_of(again.time, analysis::window_total(a.accounting));
  if (share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "recompute";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {};  // its kernels are of every class; none is its own
  f.remedy = {{"no-recompute", {}}};
  f.where = most_often(a, recompute);
  f.title = "the backward pass computes forward work again: " + f.where;
  f.evidence.push_back(
      {fmt::format("{} kernels and copies repeat forward work inside the backward pass: {} ({} of "
                   "the window)",
                   human_count(again.kernels), human_time(again.time), human_percent(share)),
       "recompute_ns", static_cast<double>(again.time.value)});
  f.evidence.push_back(
      {fmt::format("{} operators in the file are forward ones below a gradient's node, with the "
                   "arguments of one in the forward pass",
                   human_count(static_cast<std::int64_t>(recompute.roots.size()))),
       "operators_count", static_cast<double>(recompute.roots.size())});
  f.chain = {"the forward pass throws its intermediate results away",
             "the backward pass needs them and runs the forward operators again",
             "the device computes them twice"};
  f.falsifier =
      "turn checkpointing off for one step: if it does not fit in memory, the price must be paid";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_recompute() {
  return make_rule(
      {.id = "recompute",
       .layer = Layer::kFramework,
       .title = "Forward work is done twice",
       .why = "Activation checkpointing saves memory by repeating the forward pass during the "
              "backward one, about a third more computation. Where memory is free it is wasted.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "repeated device work, share of the window; less gains below 1.05x"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
