// SPDX-License-Identifier: Apache-2.0
// What a device kernel does, from its name: data/markers/kernels.json, first pattern that matches.
// Blit kernels of AMD's runtime are copies and collective kernels are communication, whatever row
// kind they came as.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace rooflab::analysis {

enum class KernelClass : std::uint8_t {
  kGemm,
  kConv,
  kAttention,
  kNorm,
  kElementwise,
  kReduction,
  kLayout,
  kEmbedding,
  kOptimizer,
  kSortScan,
  kFused,
  kOther,
  kComm,  // collectives and peer transfers
  kCopy,  // a kernel that is a copy (AMD blit)
  kMemset,
};

[[nodiscard]] std::string_view to_string(KernelClass c);  // "gemm", "sort_scan"

struct KernelClasses {
  std::vector<KernelClass> of_name;  // by StringId row; kOther for names that are no kernel's
  [[nodiscard]] KernelClass of(StringId name) const {
    return name.row < of_name.size() ? of_name[name.row] : KernelClass::kOther;
  }
};

// Classifies each distinct name of kernel rows once.
[[nodiscard]] KernelClasses classify_kernels(const model::Profile& profile);

}  // namespace rooflab::analysis
