// SPDX-License-Identifier: Apache-2.0
#include "importers/ncu/csv_table.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace rooflab::importers::ncu {
namespace {

using Cells = std::vector<std::string_view>;

// Names that a hostile file makes up must not fill the memory.
constexpr std::size_t kMostUnknownNames = 100'000;

std::string_view cell(const Cells& cells, std::size_t column) {
  return column < cells.size() ? cells[column] : std::string_view();
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool contains(const Cells& cells, std::string_view word) {
  return std::find(cells.begin(), cells.end(), word) != cells.end();
}

// What the tool writes where a metric has no value.
bool says_nothing(std::string_view text) { return text.empty(); }

// The factor to base units, if the unit measures what the metric is.
std::optional<double> factor_for(const hw::CanonicalMetric& metric, std::string_view unit) {
  if (unit.empty()) return 1.0;
  const auto base = hw::base_unit(unit);
  if (!base || base->dimension != metric.dimension) return std::nullopt;
  return base->factor;
}

}  // namespace

bool is_header(const Cells& cells) {
  return contains(cells, "ID") && contains(cells, "Kernel Name") &&
         (contains(cells, "Metric Name") || contains(cells, "Grid Size"));
}

void CsvTable::row(const Cells& cells) {
  if (is_header(cells)) {
    header(cells);
    return;
  }
  if (!has_header()) return;  // the tool's and the program's own lines
  const std::string_view id = cell(cells, at_.id);
  const bool wide = at_.metric == kNone;
  if (wide && units_due_) {
    units_due_ = false;
    if (id.empty() && cells.size() > 1) {
      units(cells);
      return;
    }
    counts_.no_units += 1;
    units({});
  }
  if (!integer(id) || cells.size() <= at_.kernel) {
    const bool tool = !cells.empty() && cells[0].starts_with("==");
    const bool blank = cells.size() == 1 && cells[0].empty();
    counts_.foreign_lines += tool || blank ? 0 : 1;
    return;
  }
  if (cells.size() > header_cells_) {
    counts_.refused_rows += 1;
    return;
  }
  if (wide) {
    wide_row(cells);
  } else {
    long_row(cells);
  }
}

void CsvTable::header(const Cells& cells) {
  at_ = Columns();
  metrics_.clear();
  device_name_ = kNone;
  header_cells_ = cells.size();
  const std::pair<std::string_view, std::size_t*> known[] = {{"ID", &at_.id},
                                                             {"Process ID", &at_.process},
                                                             {"Kernel Name", &at_.kernel},
                                                             {"Block Size", &at_.block},
                                                             {"Grid Size", &at_.grid},
                                                             {"Device", &at_.device},
                                                             {"CC", &at_.capability},
                                                             {"Section Name", &at_.section},
                                                             {"Metric Name", &at_.metric},
                                                             {"Metric Unit", &at_.unit},
                                                             {"Metric Value", &at_.value},
                                                             {"Rule Name", &at_.rule},
                                                             {"Estimated Speedup", &at_.speedup}};
  for (const auto& [name, place] : known) {
    const auto it = std::find(cells.begin(), cells.end(), name);
    if (it != cells.end()) *place = static_cast<std::size_t>(it - cells.begin());
  }
  units_due_ = at_.metric == kNone;
  if (!units_due_) return;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == "device__attribute_display_name") device_name_ = i;
    // Sizes have columns of their own; a metric's name has a word on each side of two underscores.
    if (cells[i].find("__") == std::string_view::npos && !hw::canonical_metric(cells[i])) continue;
    if (i == at_.grid || i == at_.block) continue;
    if (const auto metric = hw::canonical_metric(cells[i])) {
      metrics_.push_back({i, *metric, std::string(cells[i]), 1.0});
    } else {
      note_unknown(cells[i]);
    }
  }
}

void CsvTable::units(const Cells& cells) {
  for (MetricColumn& m : metrics_) {
    m.factor = factor_for(m.metric, cell(cells, m.column));
    counts_.other_unit += m.factor ? 0 : 1;
  }
}

std::uint32_t CsvTable::launch_of(const Cells& cells, bool fresh) {
  const std::int64_t process = integer(cell(cells, at_.process)).value_or(-1);
  std::pair<std::int64_t, std::string> key(process, std::string(cell(cells, at_.id)));
  const auto it = launch_of_id_.find(key);
  const std::string name = without_casts(cell(cells, at_.kernel));
  // Exports that were put one after the other use a number twice.
  if (it != launch_of_id_.end() && !fresh && launches_.at(it->second).name == name)
    return it->second;
  Launch launch;
  launch.name = name;
  launch.process = process;
  launch.device = integer(cell(cells, at_.device)).value_or(0);
  if (at_.grid != kNone && !parse_sizes(cell(cells, at_.grid), launch.grid)) counts_.bad_sizes += 1;
  if (at_.block != kNone && !parse_sizes(cell(cells, at_.block), launch.block))
    counts_.bad_sizes += 1;
  DeviceFacts& device = launches_.device(launch.device);
  const std::string_view capability = cell(cells, at_.capability);
  const std::size_t dot = capability.find('.');
  const auto major = integer(capability.substr(0, dot));
  const auto minor =
      dot == std::string_view::npos ? std::nullopt : integer(capability.substr(dot + 1));
  if (major && minor && *major >= 0 && *major < 1000 && *minor >= 0 && *minor < 1000) {
    device.compute_major = static_cast<std::int32_t>(*major);
    device.compute_minor = static_cast<std::int32_t>(*minor);
  }
  const std::uint32_t id = launches_.add(std::move(launch));
  launch_of_id_[std::move(key)] = id;
  return id;
}

void CsvTable::value(std::uint32_t launch, const hw::CanonicalMetric& metric, double factor,
                     std::string_view text) {
  if (says_nothing(text)) return;
  const BothWays number = read_both(text);
  if (!number.is_number()) {
    counts_.without_value += 1;
    return;
  }
  votes_.add(number);
  pending_.push_back({metric, launch, factor, number});
}

void CsvTable::note_unknown(std::string_view name) {
  if (unknown_.size() >= kMostUnknownNames || unknown_.find(name) != unknown_.end()) return;
  unknown_.emplace(name, true);
}

void CsvTable::wide_row(const Cells& cells) {
  counts_.short_rows += cells.size() < header_cells_ ? 1 : 0;
  const std::uint32_t launch = launch_of(cells, /*fresh=*/true);
  DeviceFacts& device = launches_.device(launches_.at(launch).device);
  const std::string_view name = cell(cells, device_name_);
  if (!name.empty() && device.name.empty()) device.name = name;
  for (const MetricColumn& m : metrics_) {
    if (m.column < cells.size() && m.factor) value(launch, m.metric, *m.factor, cells[m.column]);
  }
}

void CsvTable::long_row(const Cells& cells) {
  const std::uint32_t launch = launch_of(cells, /*fresh=*/false);
  const std::string_view rule = cell(cells, at_.rule);
  if (!rule.empty()) {
    const auto metric = hw::canonical_metric("rule:" + std::string(rule));
    if (metric) value(launch, *metric, 1, cell(cells, at_.speedup));
    return;
  }
  const std::string_view name = cell(cells, at_.metric);
  if (name.empty()) return;
  auto metric =
      hw::canonical_metric(std::string(cell(cells, at_.section)) + "/" + std::string(name));
  if (!metric) metric = hw::canonical_metric(name);
  if (!metric) {
    note_unknown(name);
    return;
  }
  const auto factor = factor_for(*metric, cell(cells, at_.unit));
  if (!factor) {
    counts_.other_unit += 1;
    return;
  }
  value(launch, *metric, *factor, cell(cells, at_.value));
}

void CsvTable::finish() {
  const Separator separator = votes_.decide();
  for (const Pending& p : pending_) {
    double number = separator == Separator::kComma ? p.number.comma : p.number.dot;
    if (separator == Separator::kUndecided && p.number.differs()) number = kNoNumber;
    if (number != number) {
      counts_.ambiguous += 1;
      continue;
    }
    launches_.set(p.launch, p.metric, number * p.factor);
    if (p.metric.id != "multiprocessors" || !(number > 0 && number < 1e6)) continue;
    launches_.device(launches_.at(p.launch).device).multiprocessors =
        static_cast<std::int32_t>(number);
  }
  pending_.clear();
}

Counts CsvTable::counts() const {
  Counts out = counts_;
  out.unknown_metrics = static_cast<std::int64_t>(unknown_.size());
  return out;
}

}  // namespace rooflab::importers::ncu
