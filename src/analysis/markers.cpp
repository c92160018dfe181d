// SPDX-License-Identifier: Apache-2.0
// Reads data/markers and joins the patterns of one (marker, use) into one expression.
#include "analysis/markers.h"

#include <re2/re2.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/check.h"
#include "hw/data.h"

namespace rooflab::analysis {
namespace {

constexpr std::array<std::string_view, kMarkerCount> kFiles{
    "markers/input.json",        "markers/compile.json",       "markers/alloc.json",
    "markers/sync.json",         "markers/copy_call.json",     "markers/steps.json",
    "markers/worker_start.json", "markers/input_workers.json", "markers/stream_wait.json",
    "markers/backward.json",     "markers/forward_only.json",  "markers/os_wait.json"};
constexpr std::array<std::string_view, kNameUseCount> kUses{"op", "range", "frame", "call",
                                                            "overhead"};
// Set in a name's bits once it has been matched.
constexpr MarkerBits kMatched = 0x8000;
static_assert(kMarkerCount <= 15, "the sixteenth bit says that a name was matched");

// The file's patterns for one use as one alternation; empty if there is none.
std::string alternation(const nlohmann::json& file, std::string_view use) {
  std::string all;
  for (const auto& entry : file["patterns"]) {
    bool applies = false;
    for (const auto& on : entry["on"]) applies = applies || on == use;
    if (!applies) continue;
    if (!all.empty()) all += '|';
    all += "(?:" + entry["pattern"].get<std::string>() + ")";
  }
  return all;
}

}  // namespace

NameUse use_of(model::SpanKind kind) {
  switch (kind) {
    case model::SpanKind::kOp:
      return NameUse::kOp;
    case model::SpanKind::kUserRange:
      return NameUse::kRange;
    case model::SpanKind::kPython:
      return NameUse::kFrame;
    case model::SpanKind::kRuntimeCall:
    case model::SpanKind::kDriverCall:
    case model::SpanKind::kOsCall:
      return NameUse::kCall;
    case model::SpanKind::kOverhead:
      return NameUse::kOverhead;
    case model::SpanKind::kSync:
    case model::SpanKind::kDeviceRange:
    case model::SpanKind::kOther:
    case model::SpanKind::kOffCpu:
      break;
  }
  return NameUse::kNone;
}

const MarkerPatterns& MarkerPatterns::shipped() {
  static const MarkerPatterns patterns;
  return patterns;
}

MarkerPatterns::MarkerPatterns() {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // names may hold any bytes
  options.set_never_capture(true);
  options.set_log_errors(false);
  for (std::size_t m = 0; m < kMarkerCount; ++m) {
    const auto file = nlohmann::json::parse(hw::shipped_text(kFiles[m]), nullptr, false);
    CHECK(file.is_object() && file.contains("patterns"), "data/markers files are well formed");
    for (std::size_t u = 0; u < kNameUseCount; ++u) {
      const std::string pattern = alternation(file, kUses[u]);
      if (pattern.empty()) continue;
      patterns_[m][u] = std::make_shared<const re2::RE2>(pattern, options);
      CHECK(patterns_[m][u]->ok(), "data/markers patterns compile");
    }
  }
}

MarkerBits MarkerPatterns::match(std::string_view name, NameUse use) const {
  MarkerBits bits = 0;
  if (use == NameUse::kNone) return bits;
  const re2::StringPiece text(name.data(), name.size());
  for (std::size_t m = 0; m < kMarkerCount; ++m) {
    const auto& pattern = patterns_[m][static_cast<std::size_t>(use)];
    if (pattern != nullptr && re2::RE2::PartialMatch(text, *pattern)) {
      bits = static_cast<MarkerBits>(bits | bit(static_cast<Marker>(m)));
    }
  }
  return bits;
}

MarkedNames::MarkedNames(const model::Profile& profile) : profile_(&profile) {
  for (auto& bits : bits_) bits.resize(profile.strings.size());
}

MarkerBits MarkedNames::of(StringId name, NameUse use) {
  if (use == NameUse::kNone || name.row >= profile_->strings.size()) return 0;
  MarkerBits& bits = bits_[static_cast<std::size_t>(use)][name.row];
  if (bits == 0) {
    bits = static_cast<MarkerBits>(MarkerPatterns::shipped().match(profile_->text(name), use) |
                                   kMatched);
  }
  return static_cast<MarkerBits>(bits & ~kMatched);
}

}  // namespace rooflab::analysis
