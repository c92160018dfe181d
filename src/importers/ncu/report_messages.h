// SPDX-License-Identifier: Apache-2.0
// The protocol buffer messages of an .ncu-rep, as they were found by decoding reports: fields by
// number, unknown ones skipped, nothing nested deeper than the three levels that are read here.
// Malformed bytes are a false, never an exception.
//
//   FileHeader {1 version}  BlockHeader {1 sources, 2 results, 4 strings {1 text}, 5 payload bytes}
//   Result {1 process?, 5 mangled, 6 function, 7 full name, 10 grid, 11 block, 13 metrics}
//   Metric {1 name in the strings, 2 value {1 text, 2 float, 3 double, 4 uint32, 5 uint64}}
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rooflab::importers::ncu {

[[nodiscard]] bool read_version(std::string_view message, std::uint64_t& version);

struct BlockHeader {
  std::uint64_t sources = 0, results = 0, payload_bytes = 0;
};
// Strings are added to those of earlier blocks.
[[nodiscard]] bool read_block_header(std::string_view message, BlockHeader& header,
                                     std::vector<std::string>& strings);

struct ReportMetric {
  std::uint64_t name = 0;
  bool is_number = false;
  double number = 0;
  std::string_view text;  // into the message
};
struct ReportResult {
  std::string_view name;  // the fullest of the three
  std::int64_t process = -1;
  std::array<std::int32_t, 3> grid{-1, -1, -1}, block{-1, -1, -1};
  std::vector<ReportMetric> metrics;
};
[[nodiscard]] bool read_result(std::string_view message, ReportResult& result);

}  // namespace rooflab::importers::ncu
