// SPDX-License-Identifier: Apache-2.0
// Which way through a library a kernel's name shows: the device generation it was written for,
// whether it is one for operands that are not aligned, its result tile, whether it only changes a
// convolution's layout, and whether it normalises a channels-first tensor one channel to a block.
// Patterns: data/markers/kernels.json.
//
//   kernel_path("…cutlass_75_tensorop_f16_s1688gemm_f16_256x128_nn_align1") -> {75, unaligned}
#pragma once

#include <string_view>
#include <vector>

#include "model/profile.h"

namespace rooflab::analysis {

struct KernelPath {
  int generation = 0;  // ten times the compute capability; 0 = the name does not say
  bool unaligned = false;
  bool layout_change = false;
  int tile_rows = 0, tile_columns = 0;  // 0 = the name does not say
  // Batch normalisation of a channels-first tensor: how many times the input's size it moves.
  int channel_passes = 0;  // 0 = it is no such kernel
};

[[nodiscard]] KernelPath kernel_path(std::string_view name);

// Of each distinct kernel name, by StringId row.
[[nodiscard]] std::vector<KernelPath> kernel_paths(const model::Profile& profile);

}  // namespace rooflab::analysis
