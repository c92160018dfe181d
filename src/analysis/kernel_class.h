// SPDX-License-Identifier: Apache-2.0
// What a device kernel does, from its name: data/markers/kernels.json, first pattern that matches.
// For kernels that multiply matrices the name often also says which units and which operand type
// they use. Blit kernels of AMD's runtime are copies and collective kernels are communication,
// whatever row kind they came as.
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

// Operand types a compute roof exists for. Integer types of other widths and unknown ones are
// kUnknown.
enum class Precision : std::uint8_t { kUnknown, kFp64, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8 };
[[nodiscard]] std::string_view to_string(Precision p);           // "bf16", "" if unknown
[[nodiscard]] Precision precision_named(std::string_view text);  // kUnknown for other text

struct KernelMath {
  bool known = false;        // the name says which units are used
  bool tensor_path = false;  // the matrix units
  Precision precision = Precision::kUnknown;
};

struct KernelNameFacts {
  KernelClass kernel_class = KernelClass::kOther;
  KernelMath math;  // gemm, conv, attention and fused kernels only
};

// One name on its own. Patterns are compiled at the first call, which is thread-safe.
[[nodiscard]] KernelNameFacts classify_kernel_name(std::string_view name);

struct KernelClasses {
  std::vector<KernelClass> of_name;  // by StringId row; kOther for names that are no kernel's
  [[nodiscard]] KernelClass of(StringId name) const {
    return name.row < of_name.size() ? of_name[name.row] : KernelClass::kOther;
  }
  std::vector<KernelMath> math_of_name;  // by StringId row
  [[nodiscard]] KernelMath math(StringId name) const {
    return name.row < math_of_name.size() ? math_of_name[name.row] : KernelMath{};
  }
};

// Classifies each distinct name of kernel rows once.
[[nodiscard]] KernelClasses classify_kernels(const model::Profile& profile);

}  // namespace rooflab::analysis
