// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: three significant digits and a unit. JSON and CSV get the exact
// values instead.
//
//   human_time(Nanos{52'900'000}) == "52.9 ms"    human_percent(Ratio{0.0062}) == "0.6 %"
//   human_bytes(Bytes{3'200'000'000}) == "3.20 GB"  human_rate(2.766e10) == "27.7 GB/s"
//   human_count(1234567) == "1,234,567"
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"

namespace rooflab {

[[nodiscard]] std::string human_time(Nanos time);
[[nodiscard]] std::string human_percent(Ratio ratio);
[[nodiscard]] std::string human_bytes(Bytes bytes);  // decimal units, as vendors and links count
[[nodiscard]] std::string human_rate(double bytes_per_second);
[[nodiscard]] std::string human_flops(double flops_per_second);
[[nodiscard]] std::string human_count(std::int64_t count);
[[nodiscard]] std::string human_number(double value);  // 4 significant digits, no unit

}  // namespace rooflab
