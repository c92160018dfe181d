// SPDX-License-Identifier: Apache-2.0
#include "analysis/optimizer_ranges.h"

#include <re2/re2.h>

#include <memory>
#include <string>

#include "base/check.h"
#include "hw/data.h"
#include "hw/optimizer_markers.h"

namespace rooflab::analysis {
namespace {

using Pattern = std::unique_ptr<RE2>;

struct Markers {
  std::vector<Pattern> ranges, fused;
  std::vector<std::pair<Pattern, int>> traffic;
  int element_bytes = 0;
};

Pattern compiled(const std::string& pattern) {
  auto regex = std::make_unique<RE2>(pattern, RE2::Quiet);
  CHECK(regex->ok(), "a shipped optimizer marker compiles");
  return regex;
}

Markers load() {
  const Result<hw::OptimizerMarkers> parsed =
      hw::parse_optimizer_markers(hw::shipped_text("markers/optimizers.json"));
  CHECK(parsed.has_value(), "the shipped optimizer markers parse");
  Markers out;
  for (const std::string& pattern : parsed->ranges) {
    out.ranges.push_back(compiled(pattern));
    CHECK(out.ranges.back()->NumberOfCapturingGroups() == 1, "a range pattern has one group");
  }
  for (const std::string& pattern : parsed->fused) out.fused.push_back(compiled(pattern));
  for (const hw::OptimizerTraffic& row : parsed->traffic)
    out.traffic.emplace_back(compiled(row.pattern), row.values);
  out.element_bytes = parsed->element_bytes;
  return out;
}

const Markers& markers() {
  static const Markers kLoaded = load();
  return kLoaded;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

std::string_view optimizer_name(std::string_view range) {
  for (const Pattern& pattern : markers().ranges) {
    re2::StringPiece name;
    if (RE2::PartialMatch(piece(range), *pattern, &name)) return {name.data(), name.size()};
  }
  return {};
}

bool is_fused_update(std::string_view op_name) {
  for (const Pattern& pattern : markers().fused) {
    if (RE2::PartialMatch(piece(op_name), *pattern)) return true;
  }
  return false;
}

int update_traffic(std::string_view optimizer) {
  for (const auto& [pattern, values] : markers().traffic) {
    if (RE2::PartialMatch(piece(optimizer), *pattern)) return values;
  }
  return 0;
}

int update_element_bytes() { return markers().element_bytes; }

std::vector<model::SpanId> optimizer_ranges(const model::Profile& profile, const HostTree& tree) {
  std::vector<model::SpanId> out(profile.spans.size());
  std::vector<std::uint8_t> is_range(profile.strings.size(), 2);  // 2 = not looked at
  for (std::size_t i = 0; i < profile.spans.size(); ++i) {
    const model::SpanKind kind = profile.spans.kind[i];
    const StringId name = profile.spans.name[i];
    const bool may_be = kind == model::SpanKind::kUserRange || kind == model::SpanKind::kOp;
    if (may_be && name.row < is_range.size()) {
      if (is_range[name.row] == 2)
        is_range[name.row] = optimizer_name(profile.text(name)).empty() ? 0 : 1;
      if (is_range[name.row] == 1) {
        out[i] = model::SpanId(i);
        continue;
      }
    }
    const model::SpanId parent = i < tree.parent.size() ? tree.parent[i] : model::SpanId();
    if (parent.row < i) out[i] = out[parent.row];
  }
  return out;
}

}  // namespace rooflab::analysis
