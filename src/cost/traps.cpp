// SPDX-License-Identifier: Apache-2.0
#include "cost/traps.h"

#include <algorithm>
#include <cmath>

namespace rooflab::cost {

Ratio effective(const Levels& l) {
  return {l.allocation.value * l.goodput.value * l.accelerator.value * l.roof.value};
}

double speed_up_of_kernels(Ratio stall, double kernels) {
  return kernels > 0 ? 1 / (stall.value + (1 - stall.value) / kernels) : 0;
}

double speed_up_of_kernels_beside_input(double input, double compute, double kernels) {
  const double after = kernels > 0 ? std::max(input, compute / kernels) : 0;
  return after > 0 ? std::max(input, compute) / after : 1;
}

Ratio useful_by_time(const std::vector<Stretch>& stretches) {
  double hours = 0;
  double useful = 0;
  for (const Stretch& s : stretches) {
    hours += s.hours;
    useful += s.hours * s.useful.value;
  }
  return {hours > 0 ? useful / hours : 0};
}

double rate_over_equal_work(const std::vector<double>& rates) {
  double time = 0;
  for (const double rate : rates) {
    if (!(rate > 0)) return 0;
    time += 1 / rate;
  }
  return time > 0 ? static_cast<double>(rates.size()) / time : 0;
}

double job_speed_up(const std::vector<double>& before, const std::vector<double>& after) {
  if (before.empty() || after.empty()) return 1;
  const double now = *std::max_element(after.begin(), after.end());
  return now > 0 ? *std::max_element(before.begin(), before.end()) / now : 1;
}

std::size_t replicas(double peak_rate, double rate_each) {
  constexpr double kMost = 1e9;  // a fleet, not a typing error
  if (!(peak_rate > 0) || !(rate_each > 0)) return 0;
  return static_cast<std::size_t>(std::min(std::ceil(peak_rate / rate_each), kMost));
}

Net net_of(Money saved_per_hour, const Fix& fix) {
  Net net;
  net.per_hour = {saved_per_hour.value - fix.per_hour.value};
  if (net.per_hour.value > 0) net.payback_hours = fix.once.value / net.per_hour.value;
  return net;
}

Range saving_range(Money spent, double low, double likely, double high) {
  Range range;
  range.low = saving_by_speed(spent, low);
  range.likely = saving_by_speed(spent, likely);
  range.high = saving_by_speed(spent, high);
  range.distinguishable = low > 1 || high < 1;
  return range;
}

}  // namespace rooflab::cost
