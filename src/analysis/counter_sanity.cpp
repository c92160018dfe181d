// SPDX-License-Identifier: Apache-2.0
#include "analysis/counter_sanity.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hw/counters.h"

namespace rooflab::analysis {
namespace {

// Counters of one launch come from several passes: a few percent apart is noise.
constexpr double kPercentSlack = 105;
constexpr double kShareSlack = 100.05;  // shares of one pass: what rounding can do
constexpr double kRoofSlack = 1.05;
// Slower or faster than any device made, in hz.
constexpr double kSlowestClock = 1e8, kFastestClock = 4e9;
// Cycles over time against the clock: further apart they are of different passes.
constexpr double kClockSlack = 0.25;
constexpr double kMostThreads = 64;
// Padding of tiles multiplies a small product's FLOPs; less than 2MNK cannot compute it.
constexpr double kFewestFlops = 0.95, kMostFlops = 4;

std::optional<double> find(const CounterValues& values, std::string_view metric) {
  const auto it = std::lower_bound(values.begin(), values.end(), metric,
                                   [](const auto& v, std::string_view m) { return v.first < m; });
  if (it == values.end() || it->first != metric) return std::nullopt;
  return it->second;
}

void flag(std::vector<FlaggedValue>& flagged, std::string_view metric, double value,
          std::string_view why) {
  for (FlaggedValue& f : flagged) {
    if (f.metric != metric || f.why != why) continue;
    f.launches += 1;
    return;
  }
  flagged.push_back({std::string(metric), value, std::string(why), 1});
}

// Shares whose parts and whole are counted together.
bool is_exact_share(std::string_view metric) {
  return metric.ends_with("_hit_percent") || metric.ends_with("occupancy_percent") ||
         metric == "branch_uniform_percent" || metric == "issue_percent";
}

bool is_clock(std::string_view metric) {
  return metric == "sm_clock_hz" || metric == "dram_clock_hz";
}

bool is_flop_count(std::string_view metric) {
  const bool vector =
      metric.starts_with("fp16_") || metric.starts_with("fp32_") || metric.starts_with("fp64_");
  return metric.ends_with("_flop") || (vector && !metric.ends_with("_percent"));
}

// Alone, whatever the others are.
std::string_view impossible(std::string_view metric, double value) {
  if (!std::isfinite(value)) return "no finite number";
  if (value < 0) return "a count below zero";
  const hw::CounterMetric* const known = hw::counter_metric(metric);
  if (known != nullptr && known->dimension == hw::Dimension::kPercent) {
    if (is_exact_share(metric) && value > kShareSlack) return "a share above 100 %";
    if (value > kPercentSlack) return "a share above 100 %";
  }
  if (is_clock(metric) && (value < kSlowestClock || value > kFastestClock))
    return "a clock that no device has";
  if (metric.starts_with("threads_") && value > kMostThreads) return "more threads than a warp has";
  return {};
}

void take_out(CounterValues& values, std::string_view metric, std::string_view why,
              std::vector<FlaggedValue>& flagged) {
  const auto it = std::find_if(values.begin(), values.end(),
                               [&](const auto& value) { return value.first == metric; });
  if (it == values.end()) return;
  flag(flagged, metric, it->second, why);
  values.erase(it);
}

}  // namespace

void take_out_impossible(CounterValues& values, double bandwidth,
                         std::vector<FlaggedValue>& flagged) {
  std::erase_if(values, [&](const auto& value) {
    const std::string_view why = impossible(value.first, value.second);
    if (!why.empty()) flag(flagged, value.first, value.second, why);
    return !why.empty();
  });
  // What the memory's own clock and width allow, where the file has them.
  const auto width = find(values, "dram_peak_bytes_per_cycle");
  const auto dram_clock = find(values, "dram_clock_hz");
  if (width && dram_clock && *width * *dram_clock > 0)
    bandwidth = std::max(bandwidth, *width * *dram_clock);
  const auto time = find(values, "duration_ns");
  if (bandwidth > 0) {
    constexpr std::string_view kWhy = "more bytes than device memory can move in the time";
    const double most = kRoofSlack * bandwidth;
    if (find(values, "dram_bytes_per_second").value_or(0) > most)
      take_out(values, "dram_bytes_per_second", kWhy, flagged);
    for (const std::string_view metric : {"dram_bytes", "dram_read_bytes", "dram_write_bytes"}) {
      const auto bytes = find(values, metric);
      if (bytes && time && *time > 0 && *bytes / (*time * 1e-9) > most)
        take_out(values, metric, kWhy, flagged);
    }
    const auto read = find(values, "dram_read_bytes");
    const auto write = find(values, "dram_write_bytes");
    if (read && write && time && *time > 0 && (*read + *write) / (*time * 1e-9) > most) {
      take_out(values, "dram_read_bytes", kWhy, flagged);
      take_out(values, "dram_write_bytes", kWhy, flagged);
    }
  }
  const auto cycles = find(values, "cycles_elapsed");
  const auto clock = find(values, "sm_clock_hz");
  if (cycles && clock && time && *time > 0) {
    const double implied = *cycles / (*time * 1e-9);
    if (std::abs(implied / *clock - 1) > kClockSlack)
      take_out(values, "cycles_elapsed", "cycles over time are not the clock", flagged);
  }
}

void check_flops(MeasuredKernel& kernel) {
  const auto flops = measured_flops(kernel);
  if (!flops || !kernel.model_flops || *kernel.model_flops <= 0) return;
  const double ratio = *flops / *kernel.model_flops;
  if (ratio >= kFewestFlops && ratio <= kMostFlops) return;
  flag(kernel.flagged, "flops", *flops, "not the operations of a product of the recorded sizes");
  std::erase_if(kernel.values, [](const auto& value) { return is_flop_count(value.first); });
}

}  // namespace rooflab::analysis
