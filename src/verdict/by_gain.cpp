// SPDX-License-Identifier: Apache-2.0
#include "verdict/by_gain.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "verdict/summary.h"

namespace rooflab::verdict {
namespace {

// DESIGN section 4: a run is improvable from 1.15x, a margin under a fifth of the leader's gain is
// close.
constexpr double kWorthwhileGain = 1.15;
constexpr double kCloseMargin = 0.20;
// From here a device counts as busy (DESIGN section 4, basis of gains).
constexpr double kBusy = 0.90;

bool is_host_cause(Limit l) {
  return l == Limit::kLaunch || l == Limit::kHost || l == Limit::kSync;
}

LimitShare share_of(const std::vector<LimitShare>& shares, Limit limit) {
  for (const LimitShare& s : shares) {
    if (s.limit == limit) return s;
  }
  LimitShare none;
  none.limit = limit;
  none.owner = std::string(to_string(limit));
  return none;
}

std::string gain_words(const graph::Gain& g) {
  return fmt::format("{:.2f}x ({:.2f}-{:.2f}x)", g.likely, g.low, g.high);
}

// A finding whose change alone is worth it: what it would gain, in words.
std::string worthwhile_finding(const rules::Findings& findings) {
  for (const rules::Finding& f : findings.fired) {
    if (!f.gain) continue;
    if (f.gain->likely && *f.gain->likely >= kWorthwhileGain) {
      return fmt::format("{} would gain {:.2f}x ({:.2f}-{:.2f}x)", f.rule, *f.gain->likely,
                         *f.gain->low, f.gain->high);
    }
    if (f.gain->bound && f.gain->high >= kWorthwhileGain) {
      return fmt::format("{} would gain at most {:.2f}x", f.rule, f.gain->high);
    }
  }
  return {};
}

double busy_per_step(const analysis::Analysis& a) {
  double busy = 0, windows = 0;
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    busy += static_cast<double>(d.busy.value);
    windows += 1;
  }
  const auto units = static_cast<double>(std::max<std::size_t>(a.window.unit_count, 1));
  return windows > 0 ? busy / windows / units : 0;
}

double busy_ratio(const analysis::Analysis& a, const Predictions& p, graph::Outlook outlook) {
  const double step = p.predictor->step_ns(outlook);
  return step > 0 ? busy_per_step(a) / step : 0;
}

rules::Confidence confidence_of(const CauseGain& leader, std::optional<double> margin) {
  const bool clear = !margin || *margin >= kCloseMargin;
  if (leader.gain.low >= kLimitGain && clear) return rules::Confidence::kHigh;
  return leader.gain.low >= 1 && clear ? rules::Confidence::kMedium : rules::Confidence::kLow;
}

void set_runner_up(const CauseGain& leader, const std::vector<CauseGain>& causes, Verdict& v) {
  if (causes.size() < 2) return;
  const CauseGain& second = causes[1];
  v.runner_up = second.limit;
  v.margin_ratio = (leader.gain.likely - second.gain.likely) / (leader.gain.likely - 1);
  if (*v.margin_ratio < kCloseMargin) {
    v.summary += fmt::format("; close to {}", to_string(v.runner_up));
  }
}

}  // namespace

bool holds_device(Limit l) {
  switch (l) {
    case Limit::kMemory:
    case Limit::kCompute:
    case Limit::kLatency:
    case Limit::kDevice:
    case Limit::kTransfer:
    case Limit::kComm:
      return true;
    default:
      return false;
  }
}

void choose_by_gain(const analysis::Analysis& a, const rules::Findings& findings,
                    const std::vector<LimitShare>& shares, const Predictions& p, Verdict& v) {
  if (!p.causes.empty() && p.causes[0].gain.likely >= kLimitGain) {
    const CauseGain& leader = p.causes[0];
    v.limit = leader.limit;
    v.gain = rules::stated(leader.gain);
    v.summary = sentence(a, share_of(shares, v.limit));
    set_runner_up(leader, p.causes, v);
    v.confidence = confidence_of(leader, v.margin_ratio);
    if (leader.gain.likely >= kWorthwhileGain) {
      v.improvable_because = fmt::format("without {} a step would be {} faster", to_string(v.limit),
                                         gain_words(leader.gain));
    }
  } else {
    // No cause is worth removing: whoever holds the device.
    const auto holder = std::find_if(shares.begin(), shares.end(),
                                     [](const LimitShare& s) { return holds_device(s.limit); });
    const LimitShare& leader = holder == shares.end() ? shares[0] : *holder;
    v.limit = leader.limit;
    v.summary = sentence(a, leader);
    v.confidence = rules::Confidence::kMedium;
    if (!p.causes.empty()) v.runner_up = p.causes[0].limit;
  }
  if (v.improvable_because.empty()) v.improvable_because = worthwhile_finding(findings);
}

std::string recorder_obstacle(const analysis::Analysis& a, const Verdict& v, const Predictions& p) {
  if (!p.predictor->deflation() || !is_host_cause(v.limit) || v.improvable_because.empty()) {
    return {};
  }
  const double likely = busy_ratio(a, p, graph::Outlook::kLikely);
  const double most = busy_ratio(a, p, graph::Outlook::kLeast);
  if (likely >= kBusy || most < kBusy) return {};
  return fmt::format(
      "recording slowed the host so much that without it the device may be {} busy: record device "
      "activity only",
      human_percent(Ratio{std::min(most, 1.0)}));
}

}  // namespace rooflab::verdict
