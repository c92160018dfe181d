// SPDX-License-Identifier: Apache-2.0
#include "verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "analysis/rank_comparison.h"
#include "base/human.h"
#include "verdict/by_counters.h"
#include "verdict/by_gain.h"
#include "verdict/limit.h"
#include "verdict/summary.h"

namespace rooflab::verdict {
namespace {

// A cause is worth naming an improvement from 1.15x (DESIGN section 4); removing a share s gains at
// most 1 / (1 - s).
constexpr double kWorthwhileShare = 1 - 1 / 1.15;
// Above this share of gaps that missing records could explain, idle time is not proven (DESIGN
// section 3).
constexpr double kMostUnexplained = 0.10;
// A runner-up within a fifth of the leader is "close" (DESIGN section 4).
constexpr double kCloseMargin = 0.20;
// Good library kernels reach 60-90 % of a datasheet peak; below half of it there is something to
// look for.
constexpr double kPracticalRoof = 0.5;
// Copies at this share of the link's datasheet rate are at the link: 55 of 64 GB/s is what pinned
// copies reach.
constexpr double kPracticalLink = 0.8;

// Recording made host time 1.03 to 1.6 times longer in the recordings whose unprofiled time is
// known, so that up to half of a host-caused share may be the recorder's until it is deflated.
constexpr double kHostDoubt = 0.5;
// Neighbouring elementwise kernels can be fused; two into one already halve their memory traffic.
constexpr double kFusionSaves = 0.5;

bool is_host_limit(Limit l) {
  return l == Limit::kLaunch || l == Limit::kHost || l == Limit::kSync;
}

bool is_device_limit(Limit l) {
  return l == Limit::kMemory || l == Limit::kCompute || l == Limit::kLatency || l == Limit::kDevice;
}

double link_use(const analysis::Analysis& a) {
  if (a.hardware == nullptr || a.hardware->host_link.value <= 0) return 0;
  Nanos time;
  double bytes = 0;
  for (const analysis::CopyGroup& group : a.copies) {
    const bool crosses = group.direction == model::CopyDirection::kHostToDevice ||
                         group.direction == model::CopyDirection::kDeviceToHost;
    if (!crosses || group.bytes_per_second() <= 0) continue;
    time += group.sum;
    bytes += static_cast<double>(group.bytes.value);
  }
  return time.value > 0
             ? bytes / (static_cast<double>(time.value) * 1e-9) / a.hardware->host_link.value
             : 0;
}

// Kernel time that a better kernel could save at best, as a share of the window.
double roof_headroom(const analysis::Analysis& a, Limit limit) {
  Nanos saved;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    const bool same = (limit == Limit::kMemory && row.limit == analysis::Roof::kMemory) ||
                      (limit == Limit::kCompute && row.limit == analysis::Roof::kCompute) ||
                      (limit == Limit::kLatency && row.limit == analysis::Roof::kLatency);
    if (same && ratio_of(row.roof_time, row.modelled_sum).value < kPracticalRoof &&
        row.modelled > 0) {
      saved += row.modelled_sum - row.roof_time;
    }
  }
  return ratio_of(saved, analysis::window_total(a.accounting)).value;
}

// Share of the window that fusing memory-bound elementwise kernels could save; none for a single
// one.
double fusion_headroom(const analysis::Analysis& a) {
  Nanos time;
  std::int64_t launches = 0;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    const bool fusible = row.kernel_class == analysis::KernelClass::kElementwise &&
                         row.limit == analysis::Roof::kMemory;
    if (!fusible) continue;
    time += row.sum;
    launches += row.count;
  }
  const auto units = static_cast<std::int64_t>(std::max<std::size_t>(a.window.unit_count, 1));
  if (launches < 2 * units) return 0;
  return kFusionSaves * ratio_of(time, analysis::window_total(a.accounting)).value;
}

// What there is to gain, in words; empty where nothing is worth it.
std::string improvable_because(const analysis::Analysis& a, const rules::Findings& findings,
                               const std::vector<LimitShare>& shares) {
  for (const rules::Finding& finding : findings.fired) {
    if (!finding.position && finding.ratio.value >= kWorthwhileShare) {
      return fmt::format("{} owns {}", finding.rule, human_percent(finding.ratio));
    }
  }
  if (const double fusion = fusion_headroom(a); fusion >= kWorthwhileShare) {
    return fmt::format("fusing elementwise kernels could free {}", human_percent(Ratio{fusion}));
  }
  for (const LimitShare& s : shares) {
    if (is_device_limit(s.limit)) {
      const double headroom = roof_headroom(a, s.limit);
      if (headroom < kWorthwhileShare) continue;
      return fmt::format("{} kernels below half of their roof could free up to {}",
                         to_string(s.limit), human_percent(Ratio{headroom}));
    }
    if (s.limit == Limit::kTransfer && link_use(a) >= kPracticalLink) continue;
    const double doubt = is_host_limit(s.limit) ? kHostDoubt : 1;
    if (s.ratio.value * doubt >= kWorthwhileShare) {
      return fmt::format("{} owns {}", to_string(s.limit), human_percent(s.ratio));
    }
  }
  return {};
}

void choose_by_share(const analysis::Analysis& a, const rules::Findings& findings,
                     const std::vector<LimitShare>& shares, Verdict& v) {
  v.limit = shares[0].limit;
  v.summary = sentence(a, shares[0]);
  if (shares.size() > 1) {
    v.runner_up = shares[1].limit;
    v.margin_ratio = (shares[0].ratio.value - shares[1].ratio.value) / shares[0].ratio.value;
    if (*v.margin_ratio < kCloseMargin)
      v.summary += fmt::format("; close to {}", to_string(v.runner_up));
  }
  v.improvable_because = improvable_because(a, findings, shares);
}

// What hygiene says against any verdict; empty if nothing.
std::string forbidden_by_hygiene(const model::Profile& p) {
  for (const model::HygieneNote& note : p.hygiene.notes()) {
    if (model::includes(note.forbids, model::Claim::kTimes))
      return note.code + " makes the times untrustworthy";
    if (model::includes(note.forbids, model::Claim::kCoverage))
      return note.code + ": device work may be missing";
  }
  return {};
}

// Why the file cannot carry a verdict; empty if it can.
std::string obstacle(const analysis::Analysis& a) {
  if (std::string hygiene = forbidden_by_hygiene(*a.profile); !hygiene.empty()) return hygiene;
  if (a.ranks != nullptr) {
    for (const analysis::Analysis* rank : a.ranks->analyses) {
      const std::string hygiene = forbidden_by_hygiene(*rank->profile);
      if (!hygiene.empty()) {
        return fmt::format("on rank {}, {}", rank->profile->rank.rank, hygiene);
      }
    }
  }
  const double unexplained = analysis::branch_ratio(a.accounting, "idle.blocked").value +
                             analysis::branch_ratio(a.accounting, "idle.unlinked").value;
  if (unexplained > kMostUnexplained) {
    return fmt::format(
        "in {} of the window work was launched but none is recorded (or has no launch record)",
        human_percent(Ratio{unexplained}));
  }
  return {};
}

bool calls_the_device(const model::Profile& p) {
  return std::any_of(p.spans.kind.begin(), p.spans.kind.end(), [](model::SpanKind kind) {
    return kind == model::SpanKind::kRuntimeCall || kind == model::SpanKind::kDriverCall;
  });
}

// A trace of another tool in the same container holds only events of unknown kinds.
bool understands_spans(const model::Profile& p) {
  return std::any_of(p.spans.kind.begin(), p.spans.kind.end(), [](model::SpanKind kind) {
    return kind != model::SpanKind::kOther && kind != model::SpanKind::kDeviceRange;
  });
}

Verdict without_device_work(const analysis::Analysis& a) {
  Verdict v;
  const model::Profile& p = *a.profile;
  v.state = State::kInconclusive;
  v.verdict_class = "inconclusive";
  if (std::string hygiene = forbidden_by_hygiene(p); !hygiene.empty()) {
    v.inconclusive_because = std::move(hygiene);
    v.summary = "No verdict: " + v.inconclusive_because;
  } else if (p.spans.size() == 0) {
    v.inconclusive_because = "the file holds neither device work nor host activity";
    v.summary = "Nothing to judge: no device work and no host activity";
  } else if (!understands_spans(p)) {
    v.inconclusive_because = "none of the file's events is of a kind that this version understands";
    v.summary = "No verdict: " + v.inconclusive_because;
  } else if (calls_the_device(p)) {
    v.inconclusive_because = "device activity was not recorded, though the program calls a device";
    v.summary = "No verdict: the program uses a device, but its work was not recorded";
  } else {
    v.limit = Limit::kCpu;
    v.inconclusive_because = "no device work and no device calls: only host activity is known";
    v.summary = "This run used the CPU only: there is no device work to account for";
  }
  return v;
}

}  // namespace

Verdict decide(const analysis::Analysis& a, const rules::Findings& findings,
               const Predictions* predictions) {
  const std::vector<LimitShare> shares = limit_shares(a);
  const bool no_work = a.accounting.devices.empty() || shares.empty();
  const bool by_counters = no_work && !a.counters.kernels.empty();
  if (no_work && !by_counters) return without_device_work(a);
  Verdict v;
  const bool by_gain = !by_counters && predictions != nullptr && predictions->predictor->suitable();
  if (by_counters) {
    choose_by_counters(a, findings, v);
  } else if (by_gain) {
    choose_by_gain(a, findings, shares, *predictions, v);
  } else {
    choose_by_share(a, findings, shares, v);
  }
  if (std::string against = obstacle(a); !against.empty()) v.inconclusive_because = against;
  if (v.inconclusive_because.empty() && by_gain) {
    v.inconclusive_because = recorder_obstacle(a, v, *predictions);
  }
  if (!v.inconclusive_because.empty()) {
    v.state = State::kInconclusive;
    v.verdict_class = "inconclusive";
    v.summary = "No verdict: " + v.inconclusive_because;
    return v;
  }
  v.state = v.improvable_because.empty() ? State::kHealthy : State::kImprovable;
  const bool plain = v.limit == Limit::kStraggler || v.limit == Limit::kNone;
  v.verdict_class = std::string(to_string(v.limit)) + (plain ? "" : "_bound");
  if (v.state == State::kHealthy) {
    v.verdict_class = "healthy";
    v.summary = "Healthy. " + v.summary;
  }
  return v;
}

}  // namespace rooflab::verdict
