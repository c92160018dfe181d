// SPDX-License-Identifier: Apache-2.0
// The first line of a sample, or the line of a record, in `perf script` text. The fields depend on
// -F; a command's name may hold spaces and digits, so the line is read from its time backwards:
//
//   hot_fp  7024  1866.667357:    2004008 cpu-clock:
//   my app 2  7024/7032 [003] 1866.667357001:  cycles:u:
//   hot_fp  7024/7024   1866.665355527: PERF_RECORD_COMM exec: hot_fp:7024/7024
//   hot_fp  7024      12 page-faults:              (without the time field)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rooflab::importers::perf {

struct HeaderLine {
  std::string_view command;
  std::int64_t pid = -1;  // -1 = the line has only one number, which is the thread
  std::int64_t tid = -1;
  std::int64_t cpu = -1;               // -1 = not printed
  std::optional<std::int64_t> time;    // ns
  std::optional<std::int64_t> period;  // absent = not printed
  std::string_view event;              // "cycles:u"; empty for a record
  std::string_view record;             // "PERF_RECORD_SWITCH OUT preempt"; empty for a sample
  std::string_view rest;               // after the event: a tracepoint's fields, or one frame
};

// Absent: no such line. Decimal seconds beyond the model's time limit are no time.
[[nodiscard]] std::optional<HeaderLine> parse_header(std::string_view line);

// "1866.667357" -> 1866667357000; absent if it is no such number or beyond the model's limit.
[[nodiscard]] std::optional<std::int64_t> seconds_to_ns(std::string_view text);

}  // namespace rooflab::importers::perf
