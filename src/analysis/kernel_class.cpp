// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_class.h"

#include <re2/re2.h>

#include <array>
#include <memory>
#include <string>

#include "base/check.h"
#include "hw/data.h"
#include "hw/kernel_markers.h"

namespace rooflab::analysis {
namespace {

constexpr std::array<std::string_view, 15> kClassNames = {
    "gemm",      "conv",   "attention", "norm",      "elementwise",
    "reduction", "layout", "embedding", "optimizer", "sort_scan",
    "fused",     "other",  "comm",      "copy",      "memset"};
constexpr std::array<std::string_view, 8> kPrecisionNames = {"",     "fp64", "fp32", "tf32",
                                                             "fp16", "bf16", "fp8",  "int8"};

// A longer name is no kernel's: the longest recorded ones (nested templates) are under 8 KiB, and
// patterns need only the front of a name.
constexpr std::size_t kLongestName = 8192;

template <class Enum, std::size_t N>
Enum named(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  CHECK(false, "a shipped kernel marker names a class or precision that exists");
  return Enum{};
}

struct ClassPattern {
  KernelClass kernel_class;
  std::unique_ptr<RE2> pattern;
};
struct MathPattern {
  KernelMath math;
  std::unique_ptr<RE2> pattern;
};
struct Patterns {
  std::vector<ClassPattern> classes;
  std::vector<MathPattern> math;
};

std::unique_ptr<RE2> compiled(const std::string& pattern) {
  auto regex = std::make_unique<RE2>(pattern, RE2::Quiet);
  CHECK(regex->ok(), "a shipped kernel marker compiles");
  return regex;
}

Patterns load_patterns() {
  const Result<hw::KernelMarkers> markers =
      hw::parse_kernel_markers(hw::shipped_text("markers/kernels.json"));
  CHECK(markers.has_value(), "the shipped kernel markers parse");
  Patterns patterns;
  for (const auto& marker : markers->classes) {
    patterns.classes.push_back(
        {named<KernelClass>(kClassNames, marker.kernel_class), compiled(marker.pattern)});
  }
  for (const auto& marker : markers->math) {
    patterns.math.push_back(
        {{true, marker.tensor_path, named<Precision>(kPrecisionNames, marker.precision)},
         compiled(marker.pattern)});
  }
  return patterns;
}

const Patterns& patterns() {
  static const Patterns loaded = load_patterns();
  return loaded;
}

bool multiplies_matrices(KernelClass c) {
  return c == KernelClass::kGemm || c == KernelClass::kConv || c == KernelClass::kAttention ||
         c == KernelClass::kFused;
}

}  // namespace

std::string_view to_string(KernelClass c) {
  const auto index = static_cast<std::size_t>(c);
  return index < kClassNames.size() ? kClassNames[index] : "other";
}

std::string_view to_string(Precision p) {
  const auto index = static_cast<std::size_t>(p);
  return index < kPrecisionNames.size() ? kPrecisionNames[index] : "";
}

Precision precision_named(std::string_view text) {
  for (std::size_t i = 0; i < kPrecisionNames.size(); ++i) {
    if (kPrecisionNames[i] == text) return static_cast<Precision>(i);
  }
  return Precision::kUnknown;
}

KernelNameFacts classify_kernel_name(std::string_view name) {
  const std::string_view front = name.substr(0, kLongestName);
  const re2::StringPiece text(front.data(), front.size());
  KernelNameFacts facts;
  for (const ClassPattern& row : patterns().classes) {
    if (!RE2::PartialMatch(text, *row.pattern)) continue;
    facts.kernel_class = row.kernel_class;
    break;
  }
  if (!multiplies_matrices(facts.kernel_class)) return facts;
  for (const MathPattern& row : patterns().math) {
    if (!RE2::PartialMatch(text, *row.pattern)) continue;
    facts.math = row.math;
    break;
  }
  return facts;
}

KernelClasses classify_kernels(const model::Profile& profile) {
  KernelClasses classes;
  classes.of_name.assign(profile.strings.size(), KernelClass::kOther);
  classes.math_of_name.resize(profile.strings.size());
  std::vector<bool> seen(profile.strings.size(), false);
  const auto classify = [&](StringId name) {
    if (name.row >= seen.size() || seen[name.row]) return;
    seen[name.row] = true;
    const KernelNameFacts facts = classify_kernel_name(profile.text(name));
    classes.of_name[name.row] = facts.kernel_class;
    classes.math_of_name[name.row] = facts.math;
  };
  for (std::size_t i = 0; i < profile.work.size(); ++i) {
    if (profile.work.kind[i] == model::WorkKind::kKernel) classify(profile.work.name[i]);
  }
  for (const StringId name : profile.measured.name) classify(name);
  return classes;
}

}  // namespace rooflab::analysis
