// SPDX-License-Identifier: Apache-2.0
// The arithmetic that goes wrong on slides: stalls that overlap, averages of rates, ranks that wait
// for one another, fleets sized for their peak, fixes that cost money.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.h"
#include "cost/money.h"

namespace rooflab::cost {

// Shares of what is paid for, each of the one before it; they multiply.
struct Levels {
  Ratio allocation{1};   // of the fleet's hours a job holds
  Ratio goodput{1};      // of those, steps that count (no restarts, no lost work)
  Ratio accelerator{1};  // of those, the device is busy (accelerator utilisation)
  Ratio roof{1};         // of those, work at the device's roof (or model FLOP utilisation)
};
[[nodiscard]] Ratio effective(const Levels& levels);

// How much faster a step gets when its kernels run `kernels` times as fast, `stall` of it being
// stalls that stand beside the kernels in time (Amdahl).
[[nodiscard]] double speed_up_of_kernels(Ratio stall, double kernels);
// The same where input is prepared while kernels run: the step takes the longer of the two.
// `input` and `compute`: time a step, any one unit.
[[nodiscard]] double speed_up_of_kernels_beside_input(double input, double compute, double kernels);

struct Stretch {
  double hours = 0;
  Ratio useful;
};
// Of stretches of time.
[[nodiscard]] Ratio useful_by_time(const std::vector<Stretch>& stretches);
// The rate over equal amounts of work: the harmonic mean. 0 where a rate is not positive.
[[nodiscard]] double rate_over_equal_work(const std::vector<double>& rates);

// A synchronous job steps as its slowest rank does. Times a step, by rank; the same ranks.
[[nodiscard]] double job_speed_up(const std::vector<double>& before,
                                  const std::vector<double>& after);

// Replicas that serve `peak_rate` at `rate_each` (both at the latency that is promised).
[[nodiscard]] std::size_t replicas(double peak_rate, double rate_each);

struct Fix {
  Money once;      // engineers' time, nodes bought
  Money per_hour;  // cache nodes, CPU workers, storage, traffic
};
struct Net {
  Money per_hour;                       // saved, less what the fix costs to run
  std::optional<double> payback_hours;  // absent: it never pays
};
[[nodiscard]] Net net_of(Money saved_per_hour, const Fix& fix);

struct Range {
  Money low, likely, high;
  bool distinguishable = true;  // from nothing
};
// Of a speed-up that is known as an interval.
[[nodiscard]] Range saving_range(Money spent, double low, double likely, double high);

// Whether a saving is paid out. Reserved capacity is paid for all the same: what is freed is worth
// something only to whoever waits for it.
enum class Billing { kOnDemand, kReserved };

}  // namespace rooflab::cost
