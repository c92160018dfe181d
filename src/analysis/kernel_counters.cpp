// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/counter_sanity.h"
#include "analysis/kernel_position.h"
#include "analysis/launch_work.h"

namespace rooflab::analysis {
namespace {

using model::MeasuredId;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double upper = *middle;
  if (values.size() % 2 == 1) return upper;
  return (*std::max_element(values.begin(), middle) + upper) / 2;
}

Nanos nanos(double ns) {
  if (!(ns > 0)) return Nanos{};
  return Nanos(std::llround(std::min(ns, static_cast<double>(model::kTimeLimit))));
}

// Launches of one kernel: name, grid and block.
struct Key {
  StringId name;
  std::array<std::int32_t, 3> grid{}, block{};
  model::DeviceId device;
  auto operator<=>(const Key&) const = default;
};

class Builder {
 public:
  Builder(const model::Profile& profile, const hw::DeviceCatalog& catalog)
      : p_(profile), values_(profile.measured.size()) {
    for (std::size_t i = 0; i < p_.metrics.size(); ++i) {
      const MeasuredId launch = p_.metrics.launch[i];
      if (launch.row >= values_.size()) continue;
      values_[launch.row].emplace_back(p_.text(p_.metrics.metric[i]), p_.metrics.value[i]);
    }
    for (CounterValues& values : values_) {
      std::stable_sort(values.begin(), values.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    for (const model::Device& device : p_.devices) {
      const hw::DeviceEntry* const entry =
          catalog.find(p_.text(device.name), device.multiprocessors);
      bandwidth_.push_back(entry == nullptr ? 0 : entry->memory_bandwidth.value);
    }
  }

  std::vector<MeasuredKernel> kernels() {
    std::map<Key, std::size_t> index;
    std::vector<MeasuredKernel> out;
    for (std::size_t i = 0; i < p_.measured.size(); ++i) {
      const model::LaunchConfigId config = p_.measured.config[i];
      Key key{p_.measured.name[i], {}, {}, p_.measured.device[i]};
      if (config.row < p_.launch_configs.size()) {
        key.grid = p_.launch_configs[config.row].grid;
        key.block = p_.launch_configs[config.row].block;
      }
      const auto [it, fresh] = index.emplace(key, out.size());
      if (fresh) {
        MeasuredKernel& kernel = out.emplace_back();
        kernel.name = key.name;
        kernel.device = key.device;
        kernel.config = config;
      }
      out[it->second].launches.push_back(MeasuredId(i));
    }
    for (MeasuredKernel& kernel : out) read(kernel);
    name(out);
    return out;
  }

 private:
  // Not the first of its process, where there are later ones.
  [[nodiscard]] std::vector<MeasuredId> warm(const std::vector<MeasuredId>& launches) const {
    std::vector<MeasuredId> out;
    std::vector<std::int64_t> seen;
    for (const MeasuredId launch : launches) {
      const std::int64_t process = p_.measured.process[launch.row];
      if (std::find(seen.begin(), seen.end(), process) == seen.end()) {
        seen.push_back(process);
      } else {
        out.push_back(launch);
      }
    }
    return out.empty() ? launches : out;
  }

  void read(MeasuredKernel& kernel) const {
    const double bandwidth =
        kernel.device.row < bandwidth_.size() ? bandwidth_[kernel.device.row] : 0;
    std::map<std::string_view, std::vector<double>> all;
    const std::vector<MeasuredId> read = warm(kernel.launches);
    for (const MeasuredId launch : read) {
      CounterValues values = values_[launch.row];
      take_out_impossible(values, bandwidth, kernel.flagged);
      for (const auto& [metric, value] : values) all[metric].push_back(value);
    }
    kernel.read = static_cast<std::int64_t>(read.size());
    add_sizes(kernel, all);
    for (auto& [metric, values] : all) kernel.values.emplace_back(metric, median(values));
    for (const MeasuredId launch : kernel.launches) {
      for (const auto& [metric, value] : values_[launch.row]) {
        if (metric == "duration_ns")
          kernel.sum = Nanos(saturating_add(kernel.sum.value, nanos(value).value));
      }
    }
    kernel.median = nanos(kernel.value_or("duration_ns", 0));
  }

  // Sizes that the file has in columns of their own, where the counters lack them.
  void add_sizes(const MeasuredKernel& kernel,
                 std::map<std::string_view, std::vector<double>>& all) const {
    const auto add = [&](std::string_view metric, double value) {
      if (value > 0 && all.find(metric) == all.end()) all[metric].push_back(value);
    };
    const auto product = [](const std::array<std::int32_t, 3>& sizes) {
      return sizes[0] > 0 ? static_cast<double>(sizes[0]) * sizes[1] * sizes[2] : 0;
    };
    if (kernel.config.row < p_.launch_configs.size()) {
      const model::LaunchConfig& config = p_.launch_configs[kernel.config.row];
      add("grid_blocks", product(config.grid));
      add("block_threads", product(config.block));
      add("registers_per_thread", config.registers);
    }
    if (kernel.device.row < p_.devices.size())
      add("multiprocessors", p_.devices[kernel.device.row].multiprocessors);
  }

  void name(std::vector<MeasuredKernel>& kernels) const {
    std::map<StringId, int> count;
    for (const MeasuredKernel& kernel : kernels) ++count[kernel.name];
    for (MeasuredKernel& kernel : kernels) {
      kernel.label = p_.text(kernel.name);
      if (count[kernel.name] < 2 || kernel.config.row >= p_.launch_configs.size()) continue;
      const model::LaunchConfig& c = p_.launch_configs[kernel.config.row];
      kernel.label += fmt::format(" [{}x{}x{} blocks of {}x{}x{}]", c.grid[0], c.grid[1], c.grid[2],
                                  c.block[0], c.block[1], c.block[2]);
    }
  }

  const model::Profile& p_;
  std::vector<CounterValues> values_;  // by launch
  std::vector<double> bandwidth_;      // by device
};

struct Size {
  std::array<std::int32_t, 3> grid{}, block{};
  auto operator<=>(const Size&) const = default;
};

// The kernel's launches in the trace: those of the name and size of one that was matched.
void find_in_trace(const model::Profile& p, const Window& window, const LaunchWorks& works,
                   std::vector<MeasuredKernel>& kernels) {
  std::map<std::pair<StringId, Size>, std::size_t> wanted;
  const auto size_of = [&](std::size_t row) {
    Size size;
    const model::LaunchConfigId config = p.work.config[row];
    if (config.row >= p.launch_configs.size()) return size;
    size.grid = p.launch_configs[config.row].grid;
    size.block = p.launch_configs[config.row].block;
    return size;
  };
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (const MeasuredId launch : kernels[k].launches) {
      const model::WorkId work = p.measured.work[launch.row];
      if (work.row < p.work.size()) wanted[{p.work.name[work.row], size_of(work.row)}] = k;
    }
  }
  if (wanted.empty()) return;
  std::vector<std::vector<double>> bytes(kernels.size()), flops(kernels.size());
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const std::int64_t start = p.work.start[i];
    if (start < window.start.value || start >= window.end.value) continue;
    const auto it = wanted.find({p.work.name[i], size_of(i)});
    if (it == wanted.end()) continue;
    MeasuredKernel& kernel = kernels[it->second];
    kernel.works.emplace_back(i);
    kernel.window_time = Nanos(saturating_add(kernel.window_time.value, p.work.duration[i]));
    const auto work = works.of(i);
    if (!work) continue;
    if (work->bytes > 0) bytes[it->second].push_back(work->bytes);
    if (work->matrix && work->flops > 0) flops[it->second].push_back(work->flops);
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (!bytes[k].empty()) kernels[k].compulsory_bytes = median(bytes[k]);
    if (!flops[k].empty()) kernels[k].model_flops = median(flops[k]);
  }
}

}  // namespace

std::optional<double> MeasuredKernel::value(std::string_view metric) const {
  const auto it = std::lower_bound(values.begin(), values.end(), metric,
                                   [](const auto& v, std::string_view m) { return v.first < m; });
  if (it == values.end() || it->first != metric) return std::nullopt;
  return it->second;
}

std::optional<double> measured_flops(const MeasuredKernel& kernel) {
  std::optional<double> sum;
  const auto add = [&](std::string_view metric, double factor) {
    const auto value = kernel.value(metric);
    if (value) sum = sum.value_or(0) + factor * *value;
    return value.has_value();
  };
  for (const auto& [metric, value] : kernel.values) {
    if (metric.ends_with("_flop")) add(metric, 1);
  }
  const double cycles = kernel.value_or("cycles_elapsed", 0);
  for (const std::string_view precision : {"fp32", "fp64"}) {
    for (const std::string_view op : {"add", "mul", "fma"}) {
      const double factor = op == "fma" ? 2 : 1;
      const std::string metric = fmt::format("{}_{}", precision, op);
      if (!add(metric, factor) && cycles > 0) add(metric + "_per_cycle", factor * cycles);
    }
  }
  return sum;
}

std::optional<double> measured_dram_bytes(const MeasuredKernel& kernel) {
  const auto read = kernel.value("dram_read_bytes");
  const auto write = kernel.value("dram_write_bytes");
  if (read && write) return *read + *write;
  if (const auto bytes = kernel.value("dram_bytes")) return bytes;
  const auto rate = kernel.value("dram_bytes_per_second");
  const auto time = kernel.value("duration_ns");
  return rate && time ? std::optional(*rate * *time * 1e-9) : std::nullopt;
}

KernelCounters kernel_counters(const model::Profile& profile, const KernelClasses& classes,
                               const std::vector<model::SpanId>& ops, const Window& window,
                               const hw::DeviceCatalog& catalog) {
  KernelCounters out;
  if (profile.measured.size() == 0) return out;
  out.launches = static_cast<std::int64_t>(profile.measured.size());
  out.kernels = Builder(profile, catalog).kernels();
  const bool matched = std::any_of(profile.measured.work.begin(), profile.measured.work.end(),
                                   [](model::WorkId work) { return work.valid(); });
  if (matched) find_in_trace(profile, window, LaunchWorks(profile, classes, ops), out.kernels);
  for (MeasuredKernel& kernel : out.kernels) {
    check_flops(kernel);
    find_position(kernel);
    for (const FlaggedValue& f : kernel.flagged) out.flagged += f.launches;
    out.total = Nanos(saturating_add(out.total.value, kernel.sum.value));
    out.window_time = Nanos(saturating_add(out.window_time.value, kernel.window_time.value));
  }
  std::stable_sort(out.kernels.begin(), out.kernels.end(),
                   [](const MeasuredKernel& a, const MeasuredKernel& b) {
                     if (a.window_time != b.window_time) return a.window_time > b.window_time;
                     return a.sum > b.sum;
                   });
  return out;
}

}  // namespace rooflab::analysis
