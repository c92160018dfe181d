// SPDX-License-Identifier: Apache-2.0
// Kernels that leave most of the device empty run one after another on one stream, although others
// like them would fit beside them. Independence is assumed and not seen: launches of different
// calls of one operator with equal arguments (see analysis/serial_runs.h). A recurrence looks the
// same, so the gain is a bound and the finding says what must hold.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "analysis/serial_runs.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;

// Short enough for a title.
std::string short_name(std::string_view kernel) {
  return std::string(kernel.substr(0, kernel.find_first_of("(<")));
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const model::Profile& p = *a.profile;
  const int catalogue = a.hardware == nullptr ? -1 : a.hardware->multiprocessors;
  if (analysis::multiprocessors_of(p, a.kernels.device, catalogue) <= 0) {
    return NotEvaluated{"the number of the device's multiprocessors"};
  }
  if (p.launch_configs.empty()) return NotEvaluated{"the kernels' launch geometry"};
  const std::vector<analysis::SerialRun> runs =
      analysis::serial_runs(p, a.classes, a.ops, a.window, catalogue);
  Nanos time;
  std::int64_t kernels = 0;
  const analysis::SerialRun* longest = nullptr;
  for (const analysis::SerialRun& run : runs) {
    time += run.time;
    kernels += static_cast<std::int64_t>(run.works.size());
    if (longest == nullptr || run.time > longest->time) longest = &run;
  }
  const Ratio share = ratio_of(time, analysis::window_total(a.accounting));
  if (longest == nullptr || share.value < kLeastShare) return Clear{};

  const std::size_t first = longest->works.front().row;
  Finding f;
  f.id = f.rule = "stream_serialised";
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute." + std::string(analysis::to_string(a.classes.of(p.work.name[first])))};
  f.remedy = {{"concurrent-streams", {}}};
  f.confidence = Confidence::kLow;
  f.where = std::string(p.text(p.work.name[first]));
  f.title = "kernels that would fit side by side run one after another: " + short_name(f.where);
  f.evidence.push_back(
      {fmt::format("{} kernels in {} runs on one stream take {} ({} of the window)",
                   human_count(kernels), human_count(static_cast<std::int64_t>(runs.size())),
                   human_time(time), human_percent(share)),
       "serial_ns", static_cast<double>(time.value)});
  f.evidence.push_back(
      {fmt::format("the longest run: {} launches of {} block{} each, {} on average; {} would fit "
                   "on the device's multiprocessors side by side",
                   human_count(static_cast<std::int64_t>(longest->works.size())),
                   human_count(longest->blocks), longest->blocks == 1 ? "" : "s",
                   human_time(Nanos(longest->time.value /
                                    static_cast<std::int64_t>(longest->works.size()))),
                   human_count(longest->fit)),
       "fit_count", static_cast<double>(longest->fit)});
  f.evidence.push_back(
      {"assumed: none of them uses another's result (they are different calls of "
       "one operator with equal arguments; a recurrence would look the same)",
       "", 0});
  f.chain = {"each call gives its kernel too few blocks to fill the device",
             "one stream runs kernels in order, each waits for the one before",
             "most multiprocessors have nothing to do"};
  f.falsifier =
      "if one call's input is another one's output, they must stay in order, and the finding does "
      "not apply";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_stream_serialised() {
  return make_rule(
      {.id = "stream_serialised",
       .layer = Layer::kKernel,
       .title = "Small kernels in one stream that would fit side by side",
       .why = "A stream runs its kernels in order. A kernel with fewer blocks than half of the "
              "multiprocessors leaves the rest empty; independent ones can share the device on "
              "several streams, or become one batched launch.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "time of such runs, share of the window; halving less gains below 1.05x"},
                      {"most_blocks_ratio", 0.5,
                       "blocks over multiprocessors; above it two do not fit side by side"},
                      {"least_kernel_ns", 20'000,
                       "shorter ones take as long as their launch, and streams do not help"},
                      {"most_gap_ns", 10'000, "between two of a run; more is a wait for the host"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
