// SPDX-License-Identifier: Apache-2.0
// What a range's text says. PyTorch under torch.autograd.profiler.emit_nvtx puts every operator in
// a range whose text carries its arguments, so that no two texts are alike:
//
//   "aten::mm, seq = 12, op_id = 314291, sizes = [[48, 2048], [2048, 64]]"
//     -> operator "aten::mm", dims "[[48,2048],[2048,64]]"
//   "ProfilerStep#3, op_id = 7"  -> range "ProfilerStep#3"
//   "load_batch"                 -> range "load_batch"
#pragma once

#include <string>
#include <string_view>

namespace rooflab::importers::nsys {

struct RangeName {
  std::string_view name;
  bool is_operator = false;
  std::string_view sizes;  // as written; empty = none
};

[[nodiscard]] RangeName parse_range_name(std::string_view text);
// Without spaces, as torch.profiler writes shapes. Empty if `sizes` is no list of lists of numbers.
[[nodiscard]] std::string compact_sizes(std::string_view sizes);

}  // namespace rooflab::importers::nsys
