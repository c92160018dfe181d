// SPDX-License-Identifier: Apache-2.0
// Counters of kernel launches by canonical name (data/counters): what each is and in which unit,
// what every tool calls it, and formulas over a device's raw counters where the tool has no such
// metric.
//
//   hw::canonical_metric("dram__bytes_op_read.sum") -> {"dram_read_bytes", 1.0, rank 1}
//   hw::base_unit("Kbyte/block")                    -> {1000, Dimension::kBytes}
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

enum class Dimension : std::uint8_t { kCount, kBytes, kBytesPerSecond, kNanos, kHertz, kPercent };

struct CounterMetric {
  std::string id;    // "dram_read_bytes"
  std::string unit;  // of canonical values: "bytes", "percent" (0-100), "ns", "hz", "count" …
  std::string what, caveat;
  Dimension dimension = Dimension::kCount;
};
[[nodiscard]] const std::vector<CounterMetric>& all_counter_metrics();
[[nodiscard]] const CounterMetric* counter_metric(std::string_view id);  // null = no such metric

struct CanonicalMetric {
  std::string_view id;
  double factor = 1;  // canonical value = tool's value in base units x factor
  int rank = 0;       // of several names with one id that with the lowest rank counts
  Dimension dimension = Dimension::kCount;
};
// The tool's own name, or the name its reports display. Where a displayed name stands in two
// sections of a report with two meanings, "SECTION/NAME".
[[nodiscard]] std::optional<CanonicalMetric> canonical_metric(std::string_view tool_name);

struct BaseUnit {
  double factor = 1;
  Dimension dimension = Dimension::kCount;
};
// "ms", "Gbyte/s", "Ghz", "%", "sector", "inst/cycle", "" (a count). Decimal prefixes. Absent: a
// unit that is not known, whose values may not be used.
[[nodiscard]] std::optional<BaseUnit> base_unit(std::string_view unit);

struct CounterFormula {
  std::string id, formula, caveat;
  std::vector<std::string> chips;  // empty: all
};
[[nodiscard]] const std::vector<CounterFormula>& counter_formulas();
// Numbers, names, + - * / and parentheses. Absent: a name without a value, a division by zero, or
// a text that is none of this.
[[nodiscard]] std::optional<double> evaluate_formula(
    std::string_view formula,
    const std::function<std::optional<double>(std::string_view)>& value_of);

// Of one file each; malformed ones are an Error (the shipped ones are tested).
struct CounterAlias {
  std::string id, name;
  double factor = 1;
  int rank = 0;
};
[[nodiscard]] Result<std::vector<CounterMetric>> parse_counter_metrics(std::string_view json);
[[nodiscard]] Result<std::vector<CounterAlias>> parse_counter_aliases(std::string_view json);
[[nodiscard]] Result<std::vector<CounterFormula>> parse_counter_formulas(std::string_view json);

}  // namespace rooflab::hw
