// SPDX-License-Identifier: Apache-2.0
// CHECK(condition, "why it must hold"): a bug of ours ends the process with file and line. Never
// reachable from input: what a file can cause is an Error or a hygiene note.
#pragma once

namespace rooflab {
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* why);
}  // namespace rooflab

#define CHECK(condition, why)                                                       \
  do {                                                                              \
    if (!(condition)) ::rooflab::check_failed(__FILE__, __LINE__, #condition, why); \
  } while (false)
