// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_table.h"

#include <algorithm>
#include <cmath>

#include "analysis/launch_work.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

// Faster than the roof by more than this is not noise of the clock or rounding of a datasheet.
constexpr double kAboveRoof = 1.05;
// Under a tenth of the binding roof neither roof explains the time: too little work, or work that
// waits. Real compute- and memory-bound kernels stay above it even when badly chosen: an unaligned
// half-precision product on an H200 reaches 15 % of its roof (tests/data/h200/gemm_misaligned).
constexpr double kLatencyRatio = 0.1;

struct Totals {
  double roof = 0;
  std::int64_t modelled = 0, all = 0, above = 0;
};

struct Building {
  KernelRow row;
  std::vector<std::int64_t> durations;
  double roof = 0, compute = 0, memory = 0;  // ns
};

class TableBuilder {
 public:
  TableBuilder(const model::Profile& profile, const KernelClasses& classes,
               const std::vector<model::SpanId>& ops, const hw::DeviceCatalog& catalog)
      : profile_(profile),
        classes_(classes),
        works_(profile, classes, ops),
        totals_(profile.devices.size()),
        roofs_(profile.devices.size()) {
    row_of_name_.assign(profile.strings.size(), kNone);
    for (const model::Device& device : profile.devices) {
      entries_.push_back(catalog.find(profile.text(device.name), device.multiprocessors));
    }
  }

  void add(std::size_t i) {
    const std::int64_t duration = profile_.work.duration[i];
    Building& building = row(i);
    building.row.count += 1;
    building.row.sum = Nanos(saturating_add(building.row.sum.value, duration));
    building.durations.push_back(duration);
    if (!is_compute(building.row.kernel_class)) return;
    const model::DeviceId device = profile_.device_of(i);
    Totals* const totals = device.row < totals_.size() ? &totals_[device.row] : nullptr;
    if (totals != nullptr) totals->all = saturating_add(totals->all, duration);
    const std::optional<LaunchWork> work = works_.of(i);
    if (work) add_work(building, *work, duration, device, totals);
  }

  KernelTable finish(const Window& window) && {
    KernelTable table;
    add_totals(window, table);
    for (Building& building : buildings_) {
      finish_row(building);
      table.rows.push_back(std::move(building.row));
    }
    std::sort(table.rows.begin(), table.rows.end(), [&](const KernelRow& a, const KernelRow& b) {
      if (a.sum != b.sum) return a.sum > b.sum;
      return profile_.text(a.name) < profile_.text(b.name);
    });
    return table;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::size_t kWays = 8U << 6U;  // eight precisions twice, three flags
  static_assert(static_cast<std::size_t>(Precision::kInt8) < 8);

  Building& row(std::size_t i) {
    const StringId name = profile_.work.name[i];
    const std::uint32_t slot = name.row < row_of_name_.size() ? name.row : 0;  // the empty text
    if (row_of_name_[slot] == kNone) {
      row_of_name_[slot] = static_cast<std::uint32_t>(buildings_.size());
      Building& fresh = buildings_.emplace_back();
      fresh.row.name = StringId(slot);
      fresh.row.kernel_class = classes_.of(fresh.row.name);
      fresh.row.tensor_path = classes_.math(fresh.row.name).tensor_path;
    }
    return buildings_[row_of_name_[slot]];
  }

  void add_work(Building& building, const LaunchWork& work, std::int64_t duration,
                model::DeviceId device, Totals* totals) {
    building.row.modelled += 1;
    building.row.modelled_sum = Nanos(saturating_add(building.row.modelled_sum.value, duration));
    building.row.flops += work.flops;
    building.row.bytes += work.bytes;
    const hw::DeviceEntry* const entry =
        device.row < entries_.size() ? entries_[device.row] : nullptr;
    if (entry == nullptr) return;
    const ComputeRoof& compute = roof_of(device.row, *entry, work);
    if (building.row.precision.empty()) building.row.precision = compute.precision;
    const RoofTime time = roof_time(*entry, compute, work);
    const auto taken = static_cast<double>(duration);
    const bool above = time.binding_ns() > kAboveRoof * taken;
    const double roof = std::min(time.binding_ns(), taken);
    building.row.above_roof += above ? 1 : 0;
    building.roof += roof;
    building.compute += time.compute_ns;
    building.memory += time.memory_ns;
    if (totals == nullptr) return;
    totals->roof += roof;
    totals->modelled = saturating_add(totals->modelled, duration);
    if (above) totals->above = saturating_add(totals->above, duration);
  }

  // Launches differ in few ways that matter to the roof: each is looked up once.
  const ComputeRoof& roof_of(std::uint32_t device, const hw::DeviceEntry& entry,
                             const LaunchWork& work) {
    const std::size_t way = (static_cast<std::size_t>(work.precision) << 6U) |
                            (static_cast<std::size_t>(work.math.precision) << 3U) |
                            (work.matrix ? 4U : 0U) | (work.math.known ? 2U : 0U) |
                            (work.math.tensor_path ? 1U : 0U);
    std::vector<std::optional<ComputeRoof>>& roofs = roofs_[device];
    if (roofs.empty()) roofs.resize(kWays);
    if (!roofs[way]) roofs[way] = compute_roof(entry, work);
    return *roofs[way];
  }

  static Roof limit_of(const Building& building) {
    if (building.compute <= 0 && building.memory <= 0) return Roof::kUnknown;
    if (building.roof < kLatencyRatio * static_cast<double>(building.row.modelled_sum.value))
      return Roof::kLatency;
    return building.compute > building.memory ? Roof::kCompute : Roof::kMemory;
  }

  static void finish_row(Building& building) {
    std::vector<std::int64_t>& times = building.durations;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    std::int64_t median = *middle;
    if (times.size() % 2 == 0) {
      const std::int64_t below = *std::max_element(times.begin(), middle);
      median = below + (median - below) / 2;
    }
    building.row.median = Nanos(median);
    building.row.min = Nanos(*std::min_element(times.begin(), times.end()));
    building.row.max = Nanos(*std::max_element(times.begin(), times.end()));
    building.row.roof_time = Nanos(std::llround(building.roof));
    building.row.limit = limit_of(building);
  }

  void add_totals(const Window& window, KernelTable& table) const {
    const auto busiest =
        std::max_element(totals_.begin(), totals_.end(),
                         [](const Totals& a, const Totals& b) { return a.all < b.all; });
    if (busiest == totals_.end() || busiest->all == 0) return;
    const auto device = static_cast<std::size_t>(busiest - totals_.begin());
    table.device = model::DeviceId(device);
    if (entries_[device] != nullptr) table.device_name = entries_[device]->title;
    table.roof_time = Nanos(std::llround(busiest->roof));
    table.modelled_time = Nanos(busiest->modelled);
    table.kernel_time = Nanos(busiest->all);
    table.above_roof_time = Nanos(busiest->above);
    const double length =
        static_cast<double>(window.end.value) - static_cast<double>(window.start.value);
    if (busiest->modelled > 0 && length > 0) table.useful_ratio = busiest->roof / length;
  }

  const model::Profile& profile_;
  const KernelClasses& classes_;
  LaunchWorks works_;
  std::vector<const hw::DeviceEntry*> entries_;                 // by device row, nullptr = unknown
  std::vector<Totals> totals_;                                  // by device row
  std::vector<std::vector<std::optional<ComputeRoof>>> roofs_;  // by device row, then way
  std::vector<std::uint32_t> row_of_name_;
  std::vector<Building> buildings_;
};

}  // namespace

std::string_view to_string(Roof r) {
  switch (r) {
    case Roof::kMemory:
      return "memory";
    case Roof::kCompute:
      return "compute";
    case Roof::kLatency:
      return "latency";
    case Roof::kUnknown:
      break;
  }
  return "unknown";
}

KernelTable kernel_table(const model::Profile& profile, const KernelClasses& classes,
                         const std::vector<model::SpanId>& ops, const Window& window,
                         const hw::DeviceCatalog& catalog) {
  TableBuilder builder(profile, classes, ops, catalog);
  for (std::size_t i = 0; i < profile.work.size(); ++i) {
    const std::int64_t start = profile.work.start[i];
    if (profile.work.kind[i] != model::WorkKind::kKernel || start < window.start.value ||
        start >= window.end.value) {
      continue;
    }
    builder.add(i);
  }
  return std::move(builder).finish(window);
}

}  // namespace rooflab::analysis
