// SPDX-License-Identifier: Apache-2.0
// What the names of host spans mean: input pipeline, compilation, allocation ... by the word
// patterns of data/markers/<marker>.json. A pattern holds for some uses of a name only: "frame"
// patterns see code frames, "call" patterns see runtime and driver calls.
//
//   MarkerPatterns::shipped().match("load_batch", NameUse::kRange)  ->  bit(Marker::kInput)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace re2 {
class RE2;
}

namespace rooflab::analysis {

enum class Marker : std::uint8_t {
  kInput,
  kCompile,
  kAlloc,
  kSync,
  kCopyCall,
  kStep,
  kWorkerStart,
  kInputWorkers,
  kStreamWait,
  kBackward,     // gradients or a parameter update: the run trains
  kForwardOnly,  // an operator that gradient formulas do not call
  kOsWait,       // a call into the operating system that only waits
};
constexpr std::size_t kMarkerCount = 12;

enum class NameUse : std::uint8_t { kOp, kRange, kFrame, kCall, kOverhead, kNone };
constexpr std::size_t kNameUseCount = 5;  // kNone is never matched

using MarkerBits = std::uint16_t;
constexpr MarkerBits bit(Marker m) {
  return static_cast<MarkerBits>(1U << static_cast<unsigned>(m));
}

// How a span of this kind uses its name.
[[nodiscard]] NameUse use_of(model::SpanKind kind);

class MarkerPatterns {
 public:
  // The shipped patterns, compiled once; a malformed file is a bug of ours and ends the process.
  [[nodiscard]] static const MarkerPatterns& shipped();
  [[nodiscard]] MarkerBits match(std::string_view name, NameUse use) const;

 private:
  MarkerPatterns();
  // By marker, then use; null where no pattern applies.
  std::array<std::array<std::shared_ptr<const re2::RE2>, kNameUseCount>, kMarkerCount> patterns_;
};

// The marks of one profile's names. Each distinct name is matched once for each use, when first
// asked for.
class MarkedNames {
 public:
  explicit MarkedNames(const model::Profile& profile);
  [[nodiscard]] MarkerBits of(StringId name, NameUse use);

 private:
  const model::Profile* profile_;
  std::array<std::vector<MarkerBits>, kNameUseCount> bits_;
};

}  // namespace rooflab::analysis
