// SPDX-License-Identifier: Apache-2.0
// What CPU profilers call the events that they count, in the names of the model: one name and unit
// for each, whoever counted.
//
//   cpu_event("cpu-clock:u")         -> {"cpu_time", kNanos}      weights in ns
//   cpu_event("INST_RETIRED.ANY")    -> {"instructions", kCount}
//   cpu_event("syscalls:sys_enter_futex") -> {"syscalls:sys_enter_futex", kCount}   as it is
#pragma once

#include <string>
#include <string_view>

namespace rooflab::importers {

struct CpuEvent {
  std::string name;      // of the model
  bool in_time = false;  // its weights are nanoseconds on a core
};

// `name` as the tool printed it, with or without modifiers (":u", ":ppp").
[[nodiscard]] CpuEvent cpu_event(std::string_view name);

}  // namespace rooflab::importers
