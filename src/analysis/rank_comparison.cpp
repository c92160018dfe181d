// SPDX-License-Identifier: Apache-2.0
#include "analysis/rank_comparison.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/device_sweep.h"
#include "analysis/markers.h"

namespace rooflab::analysis {
namespace {

using model::SpanId;

struct Interval {
  std::int64_t start = 0, end = 0;
  [[nodiscard]] std::int64_t clip(std::int64_t from, std::int64_t to) const {
    return std::max<std::int64_t>(0, std::min(to, end) - std::max(from, start));
  }
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double steps_of(const Analysis& a) {
  return static_cast<double>(std::max<std::size_t>(a.window.unit_count, 1));
}

// The units of the window on the host; the window itself where units are known on the device only.
Interval host_window(const Analysis& a) {
  const std::vector<Unit>& units = a.units.units;
  const Window& w = a.window;
  if (w.unit_count == 0 || w.first_unit + w.unit_count > units.size()) {
    return {w.start.value, w.end.value};
  }
  const Unit& first = units[w.first_unit];
  const Unit& last = units[w.first_unit + w.unit_count - 1];
  if (first.host_end <= first.host_start) return {w.start.value, w.end.value};
  return {first.host_start.value, last.host_end.value};
}

std::vector<bool> launching_tracks(const model::Profile& p) {
  std::vector<bool> launches(p.tracks.size(), false);
  for (const SpanId launch : p.work.launch) {
    if (launch.valid()) launches[p.spans.track[launch.row].row] = true;
  }
  return launches;
}

bool is_host_span(model::SpanKind kind) {
  switch (kind) {
    case model::SpanKind::kOp:
    case model::SpanKind::kUserRange:
    case model::SpanKind::kRuntimeCall:
    case model::SpanKind::kDriverCall:
    case model::SpanKind::kPython:
      return true;
    default:
      return false;
  }
}

using ActivityKey = std::pair<HostClass, std::string>;
struct HostTimes {
  std::map<ActivityKey, double> ns;  // a step
  double records = 0;                // a step
};

// Time inside each span and outside the spans in it, by what the span is for. Waiting for the
// device is left out: a rank that waits is not late.
HostTimes host_times(const Analysis& a) {
  const model::Profile& p = *a.profile;
  const Interval window = host_window(a);
  const std::vector<bool> launches = launching_tracks(p);
  MarkedNames names(p);
  const HostOwners owners = host_owners(p, a.tree, names, a.units, a.selection);
  const auto counts = [&](std::size_t row) {
    return launches[p.spans.track[row].row] && is_host_span(p.spans.kind[row]);
  };
  std::vector<std::int64_t> self(p.spans.size(), 0);
  std::int64_t records = 0;
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    if (!counts(row)) continue;
    const std::int64_t inside = window.clip(p.spans.start[row], p.spans.end(row));
    self[row] += inside;
    const SpanId parent = a.tree.parent[row];
    if (parent.valid()) self[parent.row] -= inside;
    records += p.spans.start[row] >= window.start && p.spans.start[row] < window.end ? 1 : 0;
  }
  // Names are made once for each cause.
  std::map<std::pair<HostClass, StringId>, std::pair<std::int64_t, SpanId>> sums;
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    if (self[row] <= 0 || !counts(row) || owners.best[row] == HostClass::kSync) continue;
    const SpanId cause = owners.cause[row];
    const StringId name = cause.valid() ? p.spans.name[cause.row] : StringId();
    auto& [ns, example] = sums[{owners.best[row], name}];
    ns += self[row];
    example = cause;
  }
  HostTimes out;
  for (const auto& [key, sum] : sums) {
    const auto& [ns, cause] = sum;
    const std::string label =
        cause.valid() ? owner_label(p.span_name(cause), p.spans.kind[cause.row]) : "";
    out.ns[{key.first, label}] += static_cast<double>(ns) / steps_of(a);
  }
  out.records = static_cast<double>(records) / steps_of(a);
  return out;
}

double device_time(const Analysis& a) {
  const model::Profile& p = *a.profile;
  const Interval window{a.window.start.value, a.window.end.value};
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < p.work.size(); ++row) {
    if (work_group(p, a.classes, row) == WorkGroup::kComm) continue;
    sum += window.clip(p.work.start[row], p.work.end(row));
  }
  return static_cast<double>(sum) / steps_of(a);
}

// The step of the first rank's window that a time on its clock is in; false outside.
bool step_at(const Analysis& a, std::int64_t time, std::size_t& step) {
  const Window& w = a.window;
  if (time < w.start.value || time >= w.end.value) return false;
  step = 0;
  while (step + 1 < w.unit_count &&
         a.units.units[w.first_unit + step + 1].device_start.value <= time) {
    ++step;
  }
  return true;
}

void blame(const Analysis& first, RankComparison& out) {
  const model::Job& job = *first.job;
  const std::size_t count = job.ranks.size();
  std::vector<std::vector<double>> caused(out.steps, std::vector<double>(count, 0));
  for (const model::JobCollective& c : job.collectives) {
    std::size_t step = 0;
    if (!step_at(first, c.arrivals[c.last].start, step)) continue;
    double waits = 0;
    std::size_t others = 0;
    for (std::size_t place = 0; place < count; ++place) {
      if (place == c.last || !c.arrivals[place].work.valid()) continue;
      const auto wait = static_cast<double>(c.wait_ns(place));
      out.ranks[place].waited_ns += wait;
      waits += wait;
      ++others;
    }
    if (others > 0) caused[step][c.last] += waits / static_cast<double>(others);
  }
  const auto steps = static_cast<double>(out.steps);
  for (const std::vector<double>& step : caused) {
    const auto most = std::max_element(step.begin(), step.end());
    if (*most > 0) ++out.ranks[static_cast<std::size_t>(most - step.begin())].steps_last;
    for (std::size_t place = 0; place < count; ++place) {
      out.ranks[place].caused_ns += step[place] / steps;
    }
  }
  for (RankShare& rank : out.ranks) rank.waited_ns /= steps;
}

}  // namespace

RankComparison compare_ranks(const std::vector<const Analysis*>& analyses) {
  RankComparison out;
  out.analyses = analyses;
  out.ranks.resize(analyses.size());
  if (analyses.empty() || analyses[0]->job == nullptr) return out;
  out.steps = std::max<std::size_t>(analyses[0]->window.unit_count, 1);
  blame(*analyses[0], out);
  const auto most = std::max_element(
      out.ranks.begin(), out.ranks.end(),
      [](const RankShare& a, const RankShare& b) { return a.caused_ns < b.caused_ns; });
  out.last = static_cast<std::size_t>(most - out.ranks.begin());

  std::vector<HostTimes> hosts;
  std::vector<double> devices;
  for (std::size_t place = 0; place < analyses.size(); ++place) {
    hosts.push_back(host_times(*analyses[place]));
    out.ranks[place].records = hosts.back().records;
    if (place == out.last) {
      out.device_own_ns = device_time(*analyses[place]);
    } else {
      devices.push_back(device_time(*analyses[place]));
    }
  }
  out.device_typical_ns = median(std::move(devices));
  for (const auto& [key, own] : hosts[out.last].ns) {
    std::vector<double> others;
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      if (place == out.last) continue;
      const auto it = hosts[place].ns.find(key);
      others.push_back(it == hosts[place].ns.end() ? 0 : it->second);
    }
    const double typical = median(std::move(others));
    if (own > typical) out.excess.push_back({key.first, key.second, own, typical});
  }
  std::stable_sort(out.excess.begin(), out.excess.end(), [](const Activity& a, const Activity& b) {
    return a.excess_ns() > b.excess_ns();
  });
  return out;
}

}  // namespace rooflab::analysis
