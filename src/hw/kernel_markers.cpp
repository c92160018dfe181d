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
  return markers;
}

}  // namespace rooflab::hw
