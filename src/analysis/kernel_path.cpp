// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_path.h"

#include <re2/re2.h>

#include <memory>
#include <string>

#include "base/check.h"
#include "hw/data.h"
#include "hw/kernel_markers.h"

namespace rooflab::analysis {
namespace {

constexpr std::size_t kLongestName = 8192;  // as for the classes of kernels
constexpr int kLargestTile = 4096;

using Pattern = std::unique_ptr<RE2>;

struct Patterns {
  std::vector<std::pair<int, Pattern>> generations, channel_norms;
  std::vector<Pattern> unaligned, tiles, layout_changes;
};

Pattern compiled(const std::string& pattern) {
  auto regex = std::make_unique<RE2>(pattern, RE2::Quiet);
  CHECK(regex->ok(), "a shipped kernel marker compiles");
  return regex;
}

std::vector<Pattern> compiled(const std::vector<hw::KernelNamePattern>& rows) {
  std::vector<Pattern> out;
  for (const hw::KernelNamePattern& row : rows) out.push_back(compiled(row.pattern));
  return out;
}

Patterns load() {
  const Result<hw::KernelMarkers> markers =
      hw::parse_kernel_markers(hw::shipped_text("markers/kernels.json"));
  CHECK(markers.has_value(), "the shipped kernel markers parse");
  Patterns out;
  for (const auto& row : markers->generations)
    out.generations.emplace_back(row.generation, compiled(row.pattern));
  for (const auto& row : markers->channel_norms)
    out.channel_norms.emplace_back(row.passes, compiled(row.pattern));
  out.unaligned = compiled(markers->unaligned);
  out.tiles = compiled(markers->tiles);
  out.layout_changes = compiled(markers->layout_changes);
  for (const Pattern& tile : out.tiles)
    CHECK(tile->NumberOfCapturingGroups() == 2, "a tile pattern has two groups");
  return out;
}

const Patterns& patterns() {
  static const Patterns kLoaded = load();
  return kLoaded;
}

// The number of the first pattern that matches, 0 = none does.
int first_of(const std::vector<std::pair<int, Pattern>>& patterns, const re2::StringPiece& text) {
  for (const auto& [number, pattern] : patterns) {
    if (RE2::PartialMatch(text, *pattern)) return number;
  }
  return 0;
}

bool any(const std::vector<Pattern>& patterns, const re2::StringPiece& text) {
  for (const Pattern& pattern : patterns) {
    if (RE2::PartialMatch(text, *pattern)) return true;
  }
  return false;
}

}  // namespace

KernelPath kernel_path(std::string_view name) {
  const std::string_view front = name.substr(0, kLongestName);
  const re2::StringPiece text(front.data(), front.size());
  KernelPath path;
  path.generation = first_of(patterns().generations, text);
  path.channel_passes = first_of(patterns().channel_norms, text);
  path.unaligned = any(patterns().unaligned, text);
  path.layout_change = any(patterns().layout_changes, text);
  for (const Pattern& pattern : patterns().tiles) {
    int rows = 0;
    int columns = 0;
    if (!RE2::PartialMatch(text, *pattern, &rows, &columns)) continue;
    const auto fits = [](int size) { return size > 0 && size <= kLargestTile; };
    if (!fits(rows) || !fits(columns)) continue;
    path.tile_rows = rows;
    path.tile_columns = columns;
    break;
  }
  return path;
}

std::vector<KernelPath> kernel_paths(const model::Profile& profile) {
  std::vector<KernelPath> paths(profile.strings.size());
  std::vector<bool> seen(profile.strings.size(), false);
  for (std::size_t i = 0; i < profile.work.size(); ++i) {
    const StringId name = profile.work.name[i];
    if (profile.work.kind[i] != model::WorkKind::kKernel || name.row >= seen.size() ||
        seen[name.row])
      continue;
    seen[name.row] = true;
    paths[name.row] = kernel_path(profile.text(name));
  }
  return paths;
}

}  // namespace rooflab::analysis
