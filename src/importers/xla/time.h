// SPDX-License-Identifier: Apache-2.0
// XLA's times are picoseconds; the model's are nanoseconds.
#pragma once

#include <cstdint>

namespace rooflab::importers::xla {

// To the nearest nanosecond, half away from zero.
constexpr std::int64_t nanoseconds(std::int64_t picoseconds) {
  const std::int64_t rest = picoseconds % 1000;
  return picoseconds / 1000 + (rest >= 500 ? 1 : 0) - (rest <= -500 ? 1 : 0);
}

}  // namespace rooflab::importers::xla
