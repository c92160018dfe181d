// SPDX-License-Identifier: Apache-2.0
// The recording itself slows the program: idle time inside the recorder's own work, or interpreter
// frames recorded while the device waits for the host. Idle shares of such a file are too high;
// device times are not affected.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.02;
constexpr double kLeastHostIdle = 0.15;

// Idle in which the launching thread ran recorded code: there each record lengthens the gap. Time
// in a loader, a copy or a synchronising call is not made of records.
Nanos host_idle(const analysis::Accounting& accounting) {
  Nanos time;
  for (const char* branch : {"idle.in_call", "idle.starved.framework", "idle.starved.host_code",
                             "idle.starved.range", "idle.starved.unknown"}) {
    time += analysis::branch_time(accounting, branch);
  }
  return time;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const Nanos window = analysis::window_total(a.accounting);
  const Nanos recorder = analysis::branch_time(a.accounting, "idle.profiler");
  const Ratio recorder_share = ratio_of(recorder, window);
  const auto& kinds = a.profile->spans.kind;
  const std::int64_t frames = std::count(kinds.begin(), kinds.end(), model::SpanKind::kPython);
  const Ratio host_share = ratio_of(host_idle(a.accounting), window);
  const bool frames_matter = frames > 0 && host_share.value >= kLeastHostIdle;
  if (recorder_share.value < kLeastShare && !frames_matter) return Clear{};

  Finding f;
  f.id = f.rule = "profiler_overhead";
  f.layer = Layer::kSystem;
  // What frames cost stands nowhere in the file: below the threshold no share is claimed.
  f.ratio = recorder_share.value >= kLeastShare ? recorder_share : Ratio{};
  f.owners = {"idle.profiler"};
  f.title = recorder_share.value >= kLeastShare
                ? "the recording slows the host"
                : "recorded interpreter frames slow the host, by how much is not known";
  f.where = a.profile->provenance.tool;
  if (recorder.value > 0) {
    f.evidence.push_back({fmt::format("the device waits {} ({}) for the recorder's own work",
                                      human_time(recorder), human_percent(recorder_share)),
                          "recorder_idle_ns", static_cast<double>(recorder.value)});
  }
  if (frames_matter) {
    f.evidence.push_back(
        {fmt::format(
             "{} interpreter frames were recorded, and the device waits for the host {} of "
             "the time: each frame's record is part of that wait, whatever else it is charged to",
             human_count(frames), human_percent(host_share)),
         "frames_count", static_cast<double>(frames)});
    f.confidence = Confidence::kLow;
  }
  f.chain = {"every host activity is recorded as it happens",
             "the launching thread spends part of its time recording",
             "the device's queue runs empty earlier than without a recorder"};
  f.falsifier =
      "time the step without a recorder: if it takes as long as here, recording costs nothing";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_profiler_overhead() {
  return make_rule(
      {.id = "profiler_overhead",
       .layer = Layer::kSystem,
       .title = "The recording slows the host",
       .why = "A recorder costs host time for every record. Where the host limits the step, the "
              "recorded step is longer "
              "than the real one and the device looks idler than it is.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle inside the recorder's own work, share of the window"},
                      {"least_host_idle_ratio", kLeastHostIdle,
                       "host-caused idle from which recorded interpreter frames can matter"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
