// SPDX-License-Identifier: Apache-2.0
#include "rules/idle_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/idle_causes.h"
#include "analysis/owner_totals.h"
#include "base/human.h"

namespace rooflab::rules {
namespace {

bool in_window(const analysis::Accounting& accounting, std::int64_t time) {
  return std::any_of(accounting.devices.begin(), accounting.devices.end(), [&](const auto& d) {
    return time >= d.window.start.value && time < d.window.end.value;
  });
}

std::vector<bool> launching_tracks(const model::Profile& p) {
  std::vector<bool> launching(p.tracks.size(), false);
  for (const model::SpanId launch : p.work.launch) {
    if (launch.valid() && launch.row < p.spans.size()) {
      launching[p.spans.track[launch.row].row] = true;
    }
  }
  return launching;
}

std::string words(const analysis::Analysis& a, const analysis::IdleCause& cause) {
  const std::string name(a.profile->text(cause.activity));
  return name.empty() ? "no recorded activity" : name;
}

}  // namespace

IdleEvidence idle_evidence(const analysis::Analysis& a, std::string_view branch, std::size_t most) {
  IdleEvidence out;
  for (const analysis::IdleCause& cause : analysis::idle_causes(*a.profile, a.accounting)) {
    if (!analysis::in_branch(cause.owner, branch)) continue;
    if (out.rows.empty()) out.culprit = std::string(a.profile->text(cause.activity));
    out.rows.push_back({fmt::format("{} in {} gap{}, the longest {}: {}", human_time(cause.time),
                                    human_count(cause.gaps), cause.gaps == 1 ? "" : "s",
                                    human_time(cause.longest), words(a, cause)),
                        "cause_ns", static_cast<double>(cause.time.value)});
    if (out.rows.size() == most) break;
  }
  return out;
}

MarkedCalls marked_calls(const analysis::Analysis& a, analysis::Marker marker) {
  MarkedCalls out;
  const model::Profile& p = *a.profile;
  const std::vector<bool> launching = launching_tracks(p);
  analysis::MarkedNames names(p);
  std::int64_t covered_until = 0;
  model::TrackId covered_on;
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const model::TrackId track = p.spans.track[row];
    if (track.row >= launching.size() || !launching[track.row]) continue;
    if ((names.of(p.spans.name[row], analysis::use_of(p.spans.kind[row])) &
         analysis::bit(marker)) == 0) {
      continue;
    }
    if (!in_window(a.accounting, p.spans.start[row])) continue;
    const bool nested = covered_on == track && p.spans.start[row] < covered_until;
    if (nested) continue;
    covered_on = track;
    covered_until = p.spans.end(row);
    ++out.count;
    out.time = Nanos(saturating_add(out.time.value, p.spans.duration[row]));
  }
  return out;
}

std::string per_step(const analysis::Analysis& a, std::int64_t count) {
  if (a.window.unit_count == 0) return human_count(count) + " in the window";
  const double each = static_cast<double>(count) / static_cast<double>(a.window.unit_count);
  return human_number(each) + " a step";
}

}  // namespace rooflab::rules
