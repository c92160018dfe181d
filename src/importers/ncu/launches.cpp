// SPDX-License-Identifier: Apache-2.0
#include "importers/ncu/launches.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace rooflab::importers::ncu {
namespace {

using model::Claim;

// A launch configuration is 32 bits wide.
std::int32_t whole(double value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(std::llround(value)) : -1;
}

}  // namespace

std::uint32_t Launches::add(Launch launch) {
  launches_.push_back(std::move(launch));
  return static_cast<std::uint32_t>(launches_.size() - 1);
}

void Launches::set(std::uint32_t launch, const hw::CanonicalMetric& metric, double value) {
  if (!std::isfinite(value)) return;
  const hw::CounterMetric* const row = hw::counter_metric(metric.id);
  if (row == nullptr || launch >= launches_.size()) return;
  const auto index = static_cast<std::uint16_t>(row - hw::all_counter_metrics().data());
  values_.push_back(
      {index, static_cast<std::uint16_t>(metric.rank), launch, value * metric.factor});
}

DeviceFacts& Launches::device(std::int64_t index) {
  const auto it = std::find_if(devices_.begin(), devices_.end(),
                               [&](const auto& device) { return device.first == index; });
  if (it != devices_.end()) return it->second;
  return devices_.emplace_back(index, DeviceFacts{}).second;
}

void Launches::build(model::Builder& builder) const {
  std::vector<Value> values = values_;
  std::stable_sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
    if (a.launch != b.launch) return a.launch < b.launch;
    return a.metric != b.metric ? a.metric < b.metric : a.rank < b.rank;
  });
  for (const auto& [index, facts] : devices_) {
    model::Device& device = builder.profile().devices[builder.device(index).row];
    device.vendor = model::Vendor::kNvidia;
    if (!facts.name.empty()) device.name = builder.intern(facts.name);
    device.compute_major = facts.compute_major;
    device.compute_minor = facts.compute_minor;
    device.multiprocessors = facts.multiprocessors;
  }
  const std::vector<hw::CounterMetric>& metrics = hw::all_counter_metrics();
  std::map<std::int64_t, std::int64_t> order;  // by process
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < launches_.size(); ++i) {
    const Launch& launch = launches_[i];
    const std::size_t first = next;
    while (next < values.size() && values[next].launch == i) ++next;
    const auto value = [&](std::string_view id) {
      for (std::size_t k = first; k < next; ++k) {
        if (metrics[values[k].metric].id == id) return values[k].value;
      }
      return -1.0;
    };
    model::LaunchConfig config;
    config.grid = launch.grid;
    config.block = launch.block;
    config.registers = whole(value("registers_per_thread"));
    const std::int32_t fixed = whole(value("shared_static_bytes"));
    const std::int32_t dynamic = whole(value("shared_dynamic_bytes"));
    if (fixed >= 0 && dynamic >= 0 && fixed <= std::numeric_limits<std::int32_t>::max() - dynamic)
      config.shared_bytes = fixed + dynamic;
    const model::MeasuredId id = builder.add(
        model::MeasuredRow{builder.intern(launch.name), builder.device(launch.device),
                           builder.launch_config(config), order[launch.process]++, launch.process});
    for (std::size_t k = first; k < next; ++k) {
      if (k > first && values[k].metric == values[k - 1].metric) continue;  // of a later name
      builder.add_metric(id, metrics[values[k].metric].id, values[k].value);
    }
  }
}

std::string without_casts(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool argument =
        name[i] == '(' && !out.empty() && (out.back() == '<' || out.back() == ' ');
    const std::size_t close = argument ? name.find(')', i) : std::string_view::npos;
    const bool cast =
        close != std::string_view::npos && close + 1 < name.size() &&
        ((name[close + 1] >= '0' && name[close + 1] <= '9') || name[close + 1] == '-');
    if (cast) {
      i = close;
    } else {
      out += name[i];
    }
  }
  return out;
}

bool parse_sizes(std::string_view text, std::array<std::int32_t, 3>& sizes) {
  std::array<std::int32_t, 3> out{1, 1, 1};
  std::size_t count = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] < '0' || text[i] > '9') {
      constexpr std::string_view kBetween = "(), xX";
      if (kBetween.find(text[i]) == std::string_view::npos) return false;
      ++i;
      continue;
    }
    if (count == out.size()) return false;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), out[count]);
    if (error != std::errc() || out[count] < 1) return false;
    i = static_cast<std::size_t>(end - text.data());
    ++count;
  }
  if (count == 0) return false;
  sizes = out;
  return true;
}

void report(const Counts& c, const std::string& input, model::Hygiene& hygiene) {
  hygiene.add("truncated_input", input, c.truncated,
              "the file ends inside a record: launches after it are missing; copy or record it "
              "again");
  hygiene.add("damaged_record", input, c.damaged,
              "a record of the file could not be read and was left out");
  hygiene.add("row_refused", input, c.refused_rows,
              "rows with more cells than the header has were left out: which cell belongs to which "
              "column is not known");
  hygiene.add("short_row", input, c.short_rows,
              "rows end before the header does: the metrics of the missing cells are unknown");
  hygiene.add("number_ambiguous", input, c.ambiguous,
              "numbers read differently with , or . as the decimal separator, and the file does "
              "not show which: left out; export with LC_ALL=C");
  hygiene.add("metric_unit_unexpected", input, c.other_unit,
              "values in a unit that is not the metric's were left out");
  hygiene.add("metric_without_value", input, c.without_value,
              "metrics whose value is no number (n/a, nan, no data) are unknown, not zero; newer "
              "devices rename metrics, and the old names then have no value");
  hygiene.add("units_missing", input, c.no_units,
              "the raw page has no row of units: values are taken for base units (ns, byte, hz); "
              "export with --print-units base to be sure");
  hygiene.add("launch_size_unreadable", input, c.bad_sizes,
              "a grid or block size could not be read and is unknown");
  hygiene.add("report_version_unknown", input, c.other_version,
              "the report has another version than 7, which this reader knows: its figures may be "
              "incomplete");
  hygiene.add("foreign_line", input, c.foreign_lines,
              "lines between the rows are not the profiler's and were left out");
  hygiene.add("metric_not_kept", input, c.unknown_metrics,
              "metrics that no diagnosis uses were not kept");
}

}  // namespace rooflab::importers::ncu
