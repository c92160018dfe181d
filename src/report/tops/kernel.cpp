// SPDX-License-Identifier: Apache-2.0
// Kernels by name, by time: what `top --by kernel` prints.
#include <string>
#include <vector>

#include "report/kernel_name.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Cell rate(double amount, Nanos time) {
  if (!(amount > 0) || time.value <= 0) return {};
  return amount / (static_cast<double>(time.value) * 1e-9);
}

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& style) {
  Table t;
  t.id = "kernel";
  t.title = "Kernels in the window, by time";
  t.columns = {{"name", "kernel", Unit::kText},        {"class", "class", Unit::kText},
               {"count", "calls", Unit::kCount},       {"sum_ns", "time", Unit::kNanos},
               {"median_ns", "median", Unit::kNanos},  {"limit", "limit", Unit::kText},
               {"roof_ratio", "of roof", Unit::kRatio}};
  const bool wide = style.full_names;
  if (wide) {
    for (Column column :
         {Column{"min_ns", "min", Unit::kNanos}, Column{"max_ns", "max", Unit::kNanos},
          Column{"flops_per_s", "FLOP/s", Unit::kFlopsPerSecond},
          Column{"bytes_per_s", "bytes/s", Unit::kBytesPerSecond}}) {
      t.columns.push_back(std::move(column));
    }
  }
  std::vector<std::string_view> names;
  for (const analysis::KernelRow& row : a.kernels.rows) names.push_back(a.profile->text(row.name));
  const std::vector<std::string> texts = display_kernel_names(names, style);
  for (std::size_t i = 0; i < a.kernels.rows.size(); ++i) {
    const analysis::KernelRow& k = a.kernels.rows[i];
    const bool known = k.modelled > 0 && k.roof_time.value > 0;
    std::vector<Cell> row = {texts[i],
                             std::string(analysis::to_string(k.kernel_class)),
                             k.count,
                             k.sum.value,
                             k.median.value,
                             std::string(analysis::to_string(k.limit)),
                             known ? Cell(ratio_of(k.roof_time, k.modelled_sum).value) : Cell()};
    if (wide) {
      row.insert(row.end(), {k.min.value, k.max.value, rate(k.flops, k.modelled_sum),
                             rate(k.bytes, k.modelled_sum)});
    }
    t.rows.push_back(std::move(row));
  }
  t.notes = {
      "of roof: least time the device's peaks allow, over the time taken, for launches with known "
      "work"};
  if (a.kernels.device_name.empty())
    t.notes = {"no roof: this device's peaks are not in data/devices"};
  return t;
}

}  // namespace

Top top_kernel() { return {"kernel", "device kernels by name", &build}; }

}  // namespace rooflab::report
