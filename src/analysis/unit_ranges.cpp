// SPDX-License-Identifier: Apache-2.0
// Groups host ranges by (track, nesting level, name without numbers) and picks one group.
#include "analysis/unit_ranges.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "analysis/host_owner.h"

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;

// A range is a unit of work when it was seen at least this often (DESIGN section 3).
constexpr std::size_t kMinRepeats = 3;
// Groups compared in detail, longest total time first; a program has far fewer kinds of ranges.
constexpr std::size_t kGroupsCompared = 64;
// Coverage within this share of the best counts as equal: a step range and the forward and backward
// ranges that fill it differ by a few launches at the edges.
constexpr double kNearlyEqual = 0.02;

// What launches less than this share of the kernel time is a part of what repeats (a layer's hook,
// a collective), and the rest of the time would belong to no unit.
constexpr double kLeastCovered = 0.5;

struct Group {
  std::uint32_t level = 0;
  std::string name;
  std::vector<SpanId> ranges;
  std::int64_t total = 0;    // host time
  std::int64_t covered = 0;  // kernel time launched inside
};

// Drops ranges that begin before an earlier one ended: recursion and clock rounding.
std::vector<SpanId> disjoint(const model::Profile& p, const std::vector<SpanId>& ranges) {
  std::vector<SpanId> out;
  for (const SpanId range : ranges) {
    if (!out.empty() && p.spans.start[range.row] < p.spans.end(out.back().row)) continue;
    out.push_back(range);
  }
  return out;
}

// The names of user ranges as group keys: one number for all names that differ in digits only.
class RangeNames {
 public:
  explicit RangeNames(const model::Profile& p) : p_(p), key_of_(p.strings.size(), 0) {}
  std::uint32_t key(StringId name) {
    if (name.row >= key_of_.size()) return 0;
    std::uint32_t& key = key_of_[name.row];
    if (key == 0) {
      const auto [it, added] = keys_.try_emplace(without_numbers(p_.text(name)),
                                                 static_cast<std::uint32_t>(keys_.size() + 1));
      key = it->second;
    }
    return key;
  }

 private:
  const model::Profile& p_;
  std::vector<std::uint32_t> key_of_;
  std::map<std::string, std::uint32_t, std::less<>> keys_;
};

// All user ranges by (track, level among user ranges, name), rows in order.
std::vector<Group> range_groups(const model::Profile& p, const HostTree& tree) {
  std::vector<std::uint32_t> level(p.spans.size(), 0);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Group> groups;
  RangeNames names(p);
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const SpanId parent = tree.parent[row];
    if (parent.valid()) {
      level[row] = level[parent.row] + (p.spans.kind[parent.row] == SpanKind::kUserRange ? 1U : 0U);
    }
    if (p.spans.kind[row] != SpanKind::kUserRange) continue;
    Group& group = groups[{p.spans.track[row].row, level[row], names.key(p.spans.name[row])}];
    if (group.ranges.empty()) group.name = p.text(p.spans.name[row]);
    group.level = level[row];
    group.total = saturating_add(group.total, p.spans.duration[row]);
    group.ranges.emplace_back(row);
  }
  std::vector<Group> out;
  for (auto& [key, group] : groups) {
    if (group.ranges.size() >= kMinRepeats) out.push_back(std::move(group));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Group& a, const Group& b) { return a.total > b.total; });
  if (out.size() > kGroupsCompared) out.resize(kGroupsCompared);
  for (Group& group : out) group.ranges = disjoint(p, group.ranges);
  std::erase_if(out, [](const Group& g) { return g.ranges.size() < kMinRepeats; });
  return out;
}

std::int64_t covered_time(const model::Profile& p, const std::vector<SpanId>& ranges,
                          const std::vector<LaunchedKernel>& kernels) {
  std::int64_t covered = 0;
  std::size_t k = 0;
  for (const SpanId range : ranges) {
    while (k < kernels.size() && kernels[k].launched < p.spans.start[range.row]) ++k;
    for (; k < kernels.size() && kernels[k].launched < p.spans.end(range.row); ++k) {
      covered = saturating_add(covered, kernels[k].duration);
    }
  }
  return covered;
}

UnitRanges repeated_ranges(const model::Profile& p, const HostTree& tree,
                           const std::vector<LaunchedKernel>& kernels, std::int64_t kernel_ns) {
  std::vector<Group> groups = range_groups(p, tree);
  std::int64_t best_covered = 0;
  for (Group& group : groups) {
    group.covered = kernels.empty() ? group.total : covered_time(p, group.ranges, kernels);
    best_covered = std::max(best_covered, group.covered);
  }
  const double least = kernels.empty() ? 0 : kLeastCovered * static_cast<double>(kernel_ns);
  if (static_cast<double>(best_covered) < least) return {};
  const Group* best = nullptr;
  for (const Group& group : groups) {
    const double needed = static_cast<double>(best_covered) * (1.0 - kNearlyEqual);
    if (group.covered == 0 || static_cast<double>(group.covered) < needed) continue;
    if (best == nullptr || group.level < best->level) best = &group;
  }
  if (best == nullptr) return {};
  return {UnitSource::kUserRange, best->name, best->ranges};
}

// Ranges (and operators: old recorders kept ranges as such) that `wanted` accepts, on the track
// that has most of them.
template <class Wanted>
std::vector<SpanId> ranges_on_one_track(const model::Profile& p, Wanted wanted) {
  std::map<std::uint32_t, std::vector<SpanId>> by_track;
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const SpanKind kind = p.spans.kind[row];
    if (kind != SpanKind::kUserRange && kind != SpanKind::kOp) continue;
    if (wanted(row)) by_track[p.spans.track[row].row].emplace_back(row);
  }
  std::vector<SpanId> best;
  for (const auto& [track, ranges] : by_track) {
    if (ranges.size() > best.size()) best = ranges;
  }
  return disjoint(p, best);
}

}  // namespace

UnitRanges find_unit_ranges(const model::Profile& profile, const HostTree& tree, MarkedNames& names,
                            const Selection& selection, const std::vector<LaunchedKernel>& kernels,
                            std::int64_t kernel_ns) {
  const auto& spans = profile.spans;
  if (!selection.step_range.empty()) {
    const std::string wanted = without_numbers(selection.step_range);
    std::vector<std::int8_t> is_wanted(profile.strings.size(), -1);
    const auto ranges = ranges_on_one_track(profile, [&](std::size_t row) {
      if (spans.name[row].row >= is_wanted.size()) return false;
      std::int8_t& known = is_wanted[spans.name[row].row];
      if (known < 0) known = without_numbers(profile.text(spans.name[row])) == wanted ? 1 : 0;
      return known == 1;
    });
    return {UnitSource::kUserRange, selection.step_range, ranges};
  }
  const auto steps = ranges_on_one_track(profile, [&](std::size_t row) {
    return (names.of(spans.name[row], use_of(spans.kind[row])) & bit(Marker::kStep)) != 0;
  });
  if (!steps.empty()) {
    return {UnitSource::kStepMarker, std::string(profile.span_name(steps.front())), steps};
  }
  return repeated_ranges(profile, tree, kernels, kernel_ns);
}

}  // namespace rooflab::analysis
