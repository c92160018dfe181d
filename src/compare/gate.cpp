// SPDX-License-Identifier: Apache-2.0
#include "compare/gate.h"

#include <charconv>
#include <cmath>

namespace rooflab::compare {
namespace {

struct Metric {
  std::string_view name;
  Basis figure;
  bool named;  // the user says which of the three answers is meant
};
// step_time is the answer for users; the others name a figure.
constexpr Metric kMetrics[] = {{"step_time", Basis::kDeflated, false},
                               {"step_time.recorded", Basis::kRecorded, true},
                               {"device_busy_per_unit", Basis::kBusy, true}};

const Metric* metric_of(std::string_view name) {
  for (const Metric& m : kMetrics) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

bool names_its_figure(Basis figure) {
  for (const Metric& m : kMetrics) {
    if (m.figure == figure) return m.named;
  }
  return false;
}

tl::unexpected<Error> refuse(std::string_view text, const std::string& why) {
  return fail(ErrorCode::kUsage, "'" + std::string(text) + "' " + why, "--fail-if",
              "METRIC>+5% or METRIC<-5%, METRIC one of step_time, step_time.recorded, "
              "device_busy_per_unit");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

const Figure& figure_of(const Comparison& c, Basis figure) {
  if (figure == Basis::kBusy) return c.busy;
  return figure == Basis::kRecorded ? c.recorded : c.deflated;
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string_view::npos) return refuse(text, "compares nothing: it has no > or <");
  const Metric* metric = metric_of(trimmed(text.substr(0, at)));
  if (metric == nullptr) return refuse(text, "names no metric that is known");
  std::string_view change = trimmed(text.substr(at + 1));
  if (!change.ends_with('%')) return refuse(text, "needs a change in percent");
  change.remove_suffix(1);
  if (change.starts_with('+')) change.remove_prefix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(change.data(), change.data() + change.size(), percent);
  if (error != std::errc() || end != change.data() + change.size() || !std::isfinite(percent) ||
      percent <= -100) {
    return refuse(text, "holds no change that can be");
  }
  return Condition{std::string(text), metric->figure, text[at] == '>', 1 + percent / 100};
}

Judged judge(const Condition& condition, const Comparison& c) {
  Judged out{condition, Met::kUndecided, {}};
  if (c.refused) {
    out.why = "the runs cannot be compared";
    return out;
  }
  if (c.disagree && c.recorder_limited && !names_its_figure(condition.figure)) {
    out.why =
        "the recorder limits the step, and the figures disagree: name step_time.recorded or "
        "device_busy_per_unit";
    return out;
  }
  const Change& change = figure_of(c, condition.figure).change;
  if (!change.known) {
    out.why = "too few units to know their noise";
    return out;
  }
  const bool all_above = change.low > condition.ratio;
  const bool all_below = change.high < condition.ratio;
  if (!all_above && !all_below) {
    out.why = "noise is wider than what is asked";
  } else {
    out.met = all_above == condition.above ? Met::kYes : Met::kNo;
  }
  return out;
}

}  // namespace rooflab::compare
