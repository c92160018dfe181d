// SPDX-License-Identifier: Apache-2.0
// Candidate periods come from the distances between equal rare names; each is checked against the
// whole sequence.
#include "analysis/kernel_period.h"

#include <algorithm>
#include <unordered_map>

#include "base/units.h"

namespace rooflab::analysis {
namespace {

constexpr std::size_t kMinRepeats = 3;
// Share of positions that must equal the one a period before. Real loops vary by a kernel now and
// then (a cache is filled, a shape differs at the end); a layer's period within a step of many
// layers stays below this only when the step has few layers, and then the shorter period is as good
// a unit.
constexpr double kMinMatch = 0.97;
// Names whose distances are tried, and how often each may occur in a period.
constexpr std::size_t kNamesTried = 12;
constexpr std::size_t kTimesAPeriod = 4;

std::unordered_map<std::uint32_t, std::vector<std::size_t>> positions_by_name(
    const std::vector<SequenceItem>& items) {
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < items.size(); ++i) out[items[i].name].push_back(i);
  return out;
}

// The median distance between a position and the one `ahead` occurrences later; 0 if there are too
// few.
std::size_t median_distance(const std::vector<std::size_t>& positions, std::size_t ahead = 1) {
  std::vector<std::size_t> distances;
  for (std::size_t i = ahead; i < positions.size(); ++i) {
    distances.push_back(positions[i] - positions[i - ahead]);
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

// Distances between equal names, of the rarest names first, in ascending order. A name may occur
// several times a period, so occurrences further apart count too.
std::vector<std::size_t> candidate_periods(
    const std::unordered_map<std::uint32_t, std::vector<std::size_t>>& positions) {
  std::vector<const std::vector<std::size_t>*> lists;
  for (const auto& [name, list] : positions) {
    if (list.size() >= kMinRepeats) lists.push_back(&list);
  }
  std::sort(lists.begin(), lists.end(), [](const auto* a, const auto* b) {
    return a->size() != b->size() ? a->size() < b->size() : a->front() < b->front();
  });
  if (lists.size() > kNamesTried) lists.resize(kNamesTried);
  std::vector<std::size_t> out;
  for (const auto* list : lists) {
    for (std::size_t ahead = 1; ahead <= kTimesAPeriod; ++ahead) {
      out.push_back(median_distance(*list, ahead));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool follows(const std::vector<SequenceItem>& items, std::size_t period) {
  if (period < 2 || period * kMinRepeats > items.size()) return false;
  const std::size_t compared = items.size() - period;
  const auto allowed = static_cast<std::size_t>(static_cast<double>(compared) * (1.0 - kMinMatch));
  std::size_t misses = 0;
  for (std::size_t i = 0; i < compared; ++i) {
    misses += items[i].name != items[i + period].name ? 1U : 0U;
    if (misses > allowed) return false;
  }
  return true;
}

std::int64_t gap_sum(const std::vector<SequenceItem>& items,
                     const std::vector<std::size_t>& starts) {
  std::int64_t sum = 0;
  for (const std::size_t i : starts) sum = saturating_add(sum, items[i].gap_before);
  return sum;
}

// A name that occurs once a period keeps units apart even where a kernel is missing; else count
// positions.
std::vector<std::size_t> choose_starts(
    const std::vector<SequenceItem>& items,
    const std::unordered_map<std::uint32_t, std::vector<std::size_t>>& positions,
    std::size_t period) {
  const std::size_t repeats = items.size() / period;
  const std::vector<std::size_t>* best = nullptr;
  for (const auto& [name, list] : positions) {
    const bool once_a_period = list.size() + 1 >= repeats && list.size() <= repeats + 1;
    if (!once_a_period || median_distance(list) != period) continue;
    const bool better =
        best == nullptr || gap_sum(items, list) > gap_sum(items, *best) ||
        (gap_sum(items, list) == gap_sum(items, *best) && list.front() < best->front());
    if (better) best = &list;
  }
  if (best != nullptr) return *best;
  std::vector<std::int64_t> gap_at(period, 0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    gap_at[i % period] = saturating_add(gap_at[i % period], items[i].gap_before);
  }
  const auto phase =
      static_cast<std::size_t>(std::max_element(gap_at.begin(), gap_at.end()) - gap_at.begin());
  std::vector<std::size_t> starts;
  for (std::size_t i = phase; i < items.size(); i += period) starts.push_back(i);
  return starts;
}

}  // namespace

std::vector<std::size_t> find_period_starts(const std::vector<SequenceItem>& items) {
  if (items.size() < 2 * kMinRepeats) return {};
  const auto positions = positions_by_name(items);
  if (positions.size() < 2) return {};
  for (const std::size_t period : candidate_periods(positions)) {
    if (!follows(items, period)) continue;
    const std::vector<std::size_t> starts = choose_starts(items, positions, period);
    if (starts.size() >= kMinRepeats) return starts;
  }
  return {};
}

}  // namespace rooflab::analysis
