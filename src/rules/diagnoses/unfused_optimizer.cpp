// SPDX-License-Identifier: Apache-2.0
// Updates of parameters in many kernels: one for every operation and parameter (a loop), or one for
// every operation (lists of tensors). One pass would read and write each value once. The share is
// the device's time from the first kernel of an update to the end of its last, gaps included.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/optimizer_ranges.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;
// Below this an update is nearly one pass already.
constexpr double kLeastTimes = 1.3;

// From the first kernel of each update to the end of its last.
Nanos spanned(const analysis::Analysis& a) {
  const model::WorkTable& work = a.profile->work;
  const analysis::WorkRuns& runs = a.faults.optimizer;
  Nanos total;
  for (const analysis::WorkRun& run : runs.runs) {
    if (run.count == 0 || !in_window(a, runs.works[run.first])) continue;
    const std::int64_t start = work.start[runs.works[run.first].row];
    std::int64_t end = start;
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k)
      end = std::max(end, work.end(runs.works[k].row));
    total = Nanos(saturating_add(total.value, std::min(end, a.window.end.value) - start));
  }
  return total;
}

std::string name_of(const analysis::Analysis& a, model::WorkId work) {
  const model::Profile& p = *a.profile;
  for (model::SpanId at = p.work.launch[work.row]; at.row < p.spans.size();
       at = at.row < a.tree.parent.size() ? a.tree.parent[at.row] : model::SpanId()) {
    const std::string_view name = analysis::optimizer_name(p.span_name(at));
    if (!name.empty()) return std::string(name);
  }
  return "an optimizer";
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/, const WithShapes& /*has*/) {
  const RunSum sum = sum_of(a, a.faults.optimizer);
  const Nanos time = spanned(a);
  const Ratio share = share_of_window(a, time);
  if (sum.largest == nullptr || share.value < kLeastShare) return Clear{};
  if (sum.largest->has_time &&
      static_cast<double>(time.value) < kLeastTimes * static_cast<double>(sum.then.value))
    return Clear{};
  const model::WorkId first = a.faults.optimizer.works[sum.largest->first];

  Finding f;
  f.id = f.rule = "unfused_optimizer";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"compute.optimizer", "compute.elementwise"};
  if (sum.timed) f.remedy = {{"fused-optimizer", {}}};
  f.where = name_of(a, first);
  f.title = fmt::format("{} updates the parameters in {} kernels a step", f.where,
                        human_count(sum.works / std::max<std::int64_t>(1, sum.runs)));
  f.evidence.push_back(
      {fmt::format("{} updates of {} kernels take {} of the device ({} of the window), of which "
                   "the kernels run {}",
                   human_count(sum.runs), human_count(sum.works), human_time(time),
                   human_percent(share), human_time(sum.now)),
       "update_ns", static_cast<double>(time.value)});
  f.evidence.push_back({fmt::format("one pass over parameters, gradients and states moves {}{}",
                                    human_bytes(Bytes(static_cast<std::int64_t>(sum.bytes_then))),
                                    sum.largest->has_time ? fmt::format(": about {} on this device",
                                                                        human_time(sum.then))
                                                          : ""),
                        "pass_bytes", sum.bytes_then});
  f.chain = {"the update is made of operators on single tensors or lists of them",
             "each is a launch, and each passes all its values through memory",
             "the device moves the same values many times, or waits for launches"};
  f.falsifier =
      "run the optimizer alone with and without its fused form: if both take as long, "
      "something else fills its range";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_unfused_optimizer() {
  return make_rule(
      {.id = "unfused_optimizer",
       .layer = Layer::kFramework,
       .title = "Parameters updated in many kernels",
       .why = "An update is a few operations on every parameter. As single operators it costs a "
              "launch for each operation and moves parameters, gradients and states through "
              "memory several times; fused forms do it in one pass.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window from an update's first kernel to its last"},
                      {"least_times", kLeastTimes, "its time over that of one pass"},
                      {"least_kernels", 8, "kernels an update"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
