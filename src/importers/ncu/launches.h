// SPDX-License-Identifier: Apache-2.0
// Kernel launches with their counters, as an Nsight Compute export is read: values by canonical
// metric, of several names for one metric the one that data/counters lists first. build() makes the
// Profile.
//
//   const std::uint32_t launch = launches.add({.name = "gemm", .process = 860, .grid = {16, 1,
//   1}}); launches.set(launch, *hw::canonical_metric("gpu__time_duration.sum"), 3859136);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/counters.h"
#include "model/builder.h"

namespace rooflab::importers::ncu {

struct Launch {
  std::string name;
  std::int64_t process = -1;
  std::int64_t device = 0;
  std::array<std::int32_t, 3> grid{-1, -1, -1}, block{-1, -1, -1};
};

struct DeviceFacts {
  std::string name;
  std::int32_t compute_major = -1, compute_minor = -1;
  std::int32_t multiprocessors = -1;
};

class Launches {
 public:
  std::uint32_t add(Launch launch);
  void set(std::uint32_t launch, const hw::CanonicalMetric& metric, double value);
  DeviceFacts& device(std::int64_t index);
  [[nodiscard]] const Launch& at(std::uint32_t launch) const { return launches_[launch]; }
  [[nodiscard]] std::size_t size() const { return launches_.size(); }
  // Adds launches and values to the builder.
  void build(model::Builder& builder) const;

 private:
  struct Value {
    std::uint16_t metric;  // in hw::all_counter_metrics()
    std::uint16_t rank;
    std::uint32_t launch;
    double value;
  };
  std::vector<Launch> launches_;
  std::vector<Value> values_;
  std::vector<std::pair<std::int64_t, DeviceFacts>> devices_;
};

// A template argument's cast says nothing that the value does not: "k<(int)32>" -> "k<32>".
[[nodiscard]] std::string without_casts(std::string_view name);
// "(128, 128, 1)", "1,1,1", "256x1x1" or "256". False: none of these, or a size outside 1..2^31-1.
[[nodiscard]] bool parse_sizes(std::string_view text, std::array<std::int32_t, 3>& sizes);
// What stays uncounted in a healthy file and why, in hygiene's words. Nothing for a count of 0.
struct Counts {
  std::int64_t unknown_metrics = 0;  // names that data/counters does not have
  std::int64_t without_value = 0;    // "n/a", "nan", text
  std::int64_t other_unit = 0;       // in a unit that is not the metric's
  std::int64_t ambiguous = 0;        // numbers that read differently with the other separator
  std::int64_t short_rows = 0, refused_rows = 0, foreign_lines = 0, no_units = 0;
  std::int64_t bad_sizes = 0, damaged = 0, truncated = 0, other_version = 0;
};
void report(const Counts& counts, const std::string& input, model::Hygiene& hygiene);

}  // namespace rooflab::importers::ncu
