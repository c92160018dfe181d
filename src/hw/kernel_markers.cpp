// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel_markers.h"

#include <nlohmann/json.hpp>

namespace rooflab::hw {
namespace {

using nlohmann::json;

std::string text_of(const json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const json* rows_of(const json& root, const char* key) {
  const auto found = root.find(key);
  return found != root.end() && found->is_array() ? &*found : nullptr;
}

tl::unexpected<Error> bad_row(const char* list, std::size_t index) {
  return fail(ErrorCode::kUnreadable, "a row needs a pattern, a reason and a source",
              std::string(list) + "[" + std::to_string(index) + "]");
}

// A list that may be left out.
Result<void> parse_patterns(const json& root, const char* list,
                            std::vector<KernelNamePattern>& out) {
  const json* const rows = rows_of(root, list);
  if (rows == nullptr) return {};
  for (const json& row : *rows) {
    KernelNamePattern marker{text_of(row, "pattern"), text_of(row, "why"), text_of(row, "source")};
    if (marker.pattern.empty() || marker.why.empty() || marker.source.empty())
      return bad_row(list, out.size());
    out.push_back(std::move(marker));
  }
  return {};
}

Result<void> parse_generations(const json& root, KernelMarkers& markers) {
  const json* const rows = rows_of(root, "generations");
  if (rows == nullptr) return {};
  constexpr std::int64_t kMostGenerations = 10'000;
  for (const json& row : *rows) {
    const auto number = row.find("generation");
    const std::int64_t generation =
        number != row.end() && number->is_number_integer() ? number->get<std::int64_t>() : 0;
    KernelGenerationMarker marker{0, text_of(row, "pattern"), text_of(row, "why"),
                                  text_of(row, "source")};
    if (generation < 1 || generation > kMostGenerations || marker.pattern.empty() ||
        marker.why.empty() || marker.source.empty()) {
      return bad_row("generations", markers.generations.size());
    }
    marker.generation = static_cast<int>(generation);
    markers.generations.push_back(std::move(marker));
  }
  return {};
}

Result<void> parse_channel_norms(const json& root, KernelMarkers& markers) {
  const json* const rows = rows_of(root, "channel_norms");
  if (rows == nullptr) return {};
  constexpr std::int64_t kMostPasses = 100;
  for (const json& row : *rows) {
    const auto number = row.find("passes");
    const std::int64_t passes =
        number != row.end() && number->is_number_integer() ? number->get<std::int64_t>() : 0;
    ChannelNormMarker marker{0, text_of(row, "pattern"), text_of(row, "why"),
                             text_of(row, "source")};
    if (passes < 1 || passes > kMostPasses || marker.pattern.empty() || marker.why.empty() ||
        marker.source.empty()) {
      return bad_row("channel_norms", markers.channel_norms.size());
    }
    marker.passes = static_cast<int>(passes);
    markers.channel_norms.push_back(std::move(marker));
  }
  return {};
}

}  // namespace

Result<KernelMarkers> parse_kernel_markers(std::string_view text) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    return fail(ErrorCode::kUnreadable, "kernel markers are not a JSON object");
  const json* const classes = rows_of(root, "classes");
  const json* const math = rows_of(root, "math");
  if (classes == nullptr || math == nullptr) {
    return fail(ErrorCode::kUnreadable, "kernel markers lack the lists 'classes' and 'math'");
  }
  KernelMarkers markers;
  for (const json& row : *classes) {
    KernelClassMarker marker{text_of(row, "class"), text_of(row, "pattern"), text_of(row, "why"),
                             text_of(row, "source")};
    if (marker.kernel_class.empty() || marker.pattern.empty() || marker.why.empty() ||
        marker.source.empty()) {
      return bad_row("classes", markers.classes.size());
    }
    markers.classes.push_back(std::move(marker));
  }
  for (const json& row : *math) {
    const auto path = row.find("tensor_path");
    KernelMathMarker marker{path != row.end() && path->is_boolean() && path->get<bool>(),
                            text_of(row, "precision"), text_of(row, "pattern"), text_of(row, "why"),
                            text_of(row, "source")};
    if (marker.pattern.empty() || marker.why.empty() || marker.source.empty()) {
      return bad_row("math", markers.math.size());
    }
    markers.math.push_back(std::move(marker));
  }
  RL_CHECK_OK(parse_generations(root, markers));
  RL_CHECK_OK(parse_patterns(root, "unaligned", markers.unaligned));
  RL_CHECK_OK(parse_patterns(root, "tiles", markers.tiles));
  RL_CHECK_OK(parse_patterns(root, "layout_changes", markers.layout_changes));
  RL_CHECK_OK(parse_channel_norms(root, markers));
  return markers;
}

}  // namespace rooflab::hw
