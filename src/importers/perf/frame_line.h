// SPDX-License-Identifier: Apache-2.0
// One frame of a `perf script` stack, or the source line below it:
//
//   \t    55d4a1 app::hot<double>+0x1a (/opt/app/hot_fp)        function, module "hot_fp"
//   \t    55d4a1 helper (inlined)                               module: that of the next frame
//   \t    7f2208 JS:*hotLoop /opt/app/j.js:1:17+0x102 (/tmp/perf-11622.map)   "hotLoop", its place
//   \t    7f2208 py::load:/opt/app/data.py (/tmp/perf-9.map)    "load", its file
//     hot.cpp:12                                                the line of the frame above
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rooflab::importers::perf {

struct FrameLine {
  std::string function;     // demangled; "[unknown]" where perf has no name
  std::string_view module;  // without folders; empty where unknown or inlined
  std::string location;     // where the name itself says it
  bool inlined = false;
  bool known = true;  // perf resolved the function
};

// `line` starts with white space. Absent: neither address nor module, so no frame.
[[nodiscard]] std::optional<FrameLine> parse_frame(std::string_view line);
// "  hot.cpp:12" -> "hot.cpp:12"; absent for anything else, and empty for "??:0".
[[nodiscard]] std::optional<std::string_view> parse_source_line(std::string_view line);

}  // namespace rooflab::importers::perf
