// SPDX-License-Identifier: Apache-2.0
// Time and a price -> money. Money is a plain amount in the price's own currency.
//
//   Fleet fleet{.gpus = 8, .hours = 100, .gpu_hour = Money{2.5}};
//   spend(fleet);                              // 2000
//   idle_waste(spend(fleet), Ratio{0.5});      // 1000 of it while no useful work ran
//   saving(spend(fleet), Ratio{0.5}, Ratio{0.98});  // 980: the same work costs so much less
//
// Useful shares lie in (0, 1]; what does not is refused by `valid_share`, not repaired.
#pragma once

#include "base/units.h"

namespace rooflab::cost {

struct Money {
  double value = 0;
  constexpr auto operator<=>(const Money&) const = default;
};

constexpr double kHoursPerYear = 8760;

struct Fleet {
  double gpus = 0;
  double hours = 0;  // wall-clock
  Money gpu_hour;    // of one GPU
};

[[nodiscard]] constexpr bool valid_share(Ratio share) {
  return share.value > 0 && share.value <= 1;
}

[[nodiscard]] Money spend(const Fleet& fleet);
// What is paid while the GPUs do nothing useful.
[[nodiscard]] Money idle_waste(Money spent, Ratio useful);
// For the same work, once the useful share rises: spent * (1 - before / after). Negative: dearer.
[[nodiscard]] Money saving(Money spent, Ratio before, Ratio after);
// For the same work, done `speed_up` times as fast.
[[nodiscard]] Money saving_by_speed(Money spent, double speed_up);
[[nodiscard]] double speed_up(Ratio before, Ratio after);
// GPUs that do as much at the higher share.
[[nodiscard]] double gpus_for_the_same_rate(double gpus, Ratio before, Ratio after);

}  // namespace rooflab::cost
