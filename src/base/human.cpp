// SPDX-License-Identifier: Apache-2.0
#include "base/human.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rooflab {
namespace {

// Three significant digits without an exponent, for values below 1000.
std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size == 0) return "0";
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

struct Scale {
  double factor;
  const char* unit;
};

template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales) {
  const double size = std::fabs(value);
  // 999.5 of one unit would print as 1000: take the next one.
  for (std::size_t i = N; i-- > 1;) {
    if (size >= scales[i].factor * 0.9995)
      return three_digits(value / scales[i].factor) + " " + scales[i].unit;
  }
  return three_digits(value / scales[0].factor) + " " + scales[0].unit;
}

}  // namespace

std::string human_time(Nanos time) {
  if (std::llabs(time.value) < 1000) return fmt::format("{} ns", time.value);
  constexpr std::array<Scale, 3> kScales{{{1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}};
  const double value = static_cast<double>(time.value);
  if (std::fabs(value) >= 999.5e9) return fmt::format("{:.0f} s", value / 1e9);
  return scaled(value, kScales);
}

std::string human_percent(Ratio ratio) {
  const double percent = ratio.value * 100;
  if (percent != 0 && std::fabs(percent) < 0.05) return percent > 0 ? "<0.1 %" : "0.0 %";
  // Never round an incomplete share up to the whole.
  if (percent < 100 && percent >= 99.95) return ">99.9 %";
  return fmt::format("{:.1f} %", percent);
}

std::string human_bytes(Bytes bytes) {
  if (std::llabs(bytes.value) < 1000) return fmt::format("{} B", bytes.value);
  constexpr std::array<Scale, 4> kScales{{{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};
  return scaled(static_cast<double>(bytes.value), kScales);
}

std::string human_rate(double bytes_per_second) {
  constexpr std::array<Scale, 4> kScales{
      {{1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};
  return scaled(bytes_per_second, kScales);
}

std::string human_flops(double flops_per_second) {
  constexpr std::array<Scale, 4> kScales{
      {{1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}}};
  return scaled(flops_per_second, kScales);
}

std::string human_count(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

std::string human_number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace rooflab
