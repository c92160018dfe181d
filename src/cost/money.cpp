// SPDX-License-Identifier: Apache-2.0
#include "cost/money.h"

namespace rooflab::cost {

Money spend(const Fleet& fleet) { return {fleet.gpus * fleet.hours * fleet.gpu_hour.value}; }

Money idle_waste(Money spent, Ratio useful) { return {spent.value * (1 - useful.value)}; }

Money saving(Money spent, Ratio before, Ratio after) {
  return saving_by_speed(spent, speed_up(before, after));
}

Money saving_by_speed(Money spent, double speed_up) {
  return {speed_up > 0 ? spent.value * (1 - 1 / speed_up) : 0};
}

double speed_up(Ratio before, Ratio after) {
  return before.value > 0 ? after.value / before.value : 1;
}

double gpus_for_the_same_rate(double gpus, Ratio before, Ratio after) {
  return gpus / speed_up(before, after);
}

}  // namespace rooflab::cost
