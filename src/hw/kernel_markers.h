// SPDX-License-Identifier: Apache-2.0
// data/markers/kernels.json as rows: which name patterns of device kernels mean what. The first row
// that matches (RE2, partial match) decides; the order in the file carries meaning. Matching is the
// caller's business.
//
//   {"class": "comm", "pattern": "nccl(Dev)?Kernel|...", "why": "...", "source": "..."}
//   {"tensor_path": true, "precision": "bf16", "pattern": "^nvjet_(sm\\d+_)?t", "why": "...",
//   "source": "..."}
//
// Refuses: a file that is no JSON object of that shape, or a row without a pattern, a reason or a
// source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct KernelClassMarker {
  std::string kernel_class, pattern, why, source;
};

struct KernelMathMarker {
  bool tensor_path = false;
  std::string precision;  // "bf16"; empty = the name does not say
  std::string pattern, why, source;
};

// A device generation (ten times the compute capability) that a kernel's name shows.
struct KernelGenerationMarker {
  int generation = 0;
  std::string pattern, why, source;
};
// How many times the input's size a kernel that works on one channel in each block moves.
struct ChannelNormMarker {
  int passes = 0;
  std::string pattern, why, source;
};
struct KernelNamePattern {
  std::string pattern, why, source;
};

struct KernelMarkers {
  std::vector<KernelClassMarker> classes;
  std::vector<KernelMathMarker> math;
  std::vector<KernelGenerationMarker> generations;
  std::vector<KernelNamePattern> unaligned;       // for operands that are not aligned
  std::vector<KernelNamePattern> tiles;           // two groups: rows and columns of a block's tile
  std::vector<KernelNamePattern> layout_changes;  // around convolutions
  std::vector<ChannelNormMarker> channel_norms;   // of channels-first tensors
};

[[nodiscard]] Result<KernelMarkers> parse_kernel_markers(std::string_view json);

}  // namespace rooflab::hw
