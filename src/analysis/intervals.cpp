// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rooflab::analysis {
namespace {

bool starts_earlier(const Interval& a, const Interval& b) { return a.start < b.start; }

}  // namespace

Intervals unite(Intervals any) {
  if (!std::is_sorted(any.begin(), any.end(), starts_earlier))
    std::sort(any.begin(), any.end(), starts_earlier);
  std::size_t kept = 0;
  for (const Interval next : any) {
    if (next.end <= next.start) continue;
    if (kept > 0 && next.start <= any[kept - 1].end) {
      any[kept - 1].end = std::max(any[kept - 1].end, next.end);
    } else {
      any[kept++] = next;
    }
  }
  any.resize(kept);
  return any;
}

Intervals intersect(const Intervals& a, const Intervals& b) {
  Intervals common;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const Interval both{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (both.start < both.end) common.push_back(both);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

Intervals subtract(const Intervals& a, const Intervals& b) {
  Intervals rest;
  std::size_t j = 0;
  for (const Interval& whole : a) {
    Nanos open = whole.start;
    while (j < b.size() && b[j].end <= open) ++j;
    // b[j] may reach into the next stretch of a, so it is passed only once it is used up.
    for (; j < b.size() && b[j].start < whole.end; ++j) {
      if (open < b[j].start) rest.push_back({open, b[j].start});
      open = std::max(open, b[j].end);
      if (open >= whole.end) break;
    }
    if (open < whole.end) rest.push_back({open, whole.end});
  }
  return rest;
}

Nanos length(const Interval& interval) {
  if (interval.end <= interval.start) return Nanos(0);
  std::int64_t out = 0;
  if (__builtin_sub_overflow(interval.end.value, interval.start.value, &out)) return kNanosMax;
  return Nanos(out);
}

Nanos total_length(const Intervals& intervals) {
  std::int64_t sum = 0;
  for (const Interval& interval : intervals) sum = saturating_add(sum, length(interval).value);
  return Nanos(sum);
}

Nanos length_inside(const Intervals& intervals, const Interval& window) {
  auto it = std::upper_bound(intervals.begin(), intervals.end(), window.start,
                             [](Nanos time, const Interval& i) { return time < i.end; });
  std::int64_t sum = 0;
  for (; it != intervals.end() && it->start < window.end; ++it) {
    const Interval both{std::max(it->start, window.start), std::min(it->end, window.end)};
    sum = saturating_add(sum, length(both).value);
  }
  return Nanos(sum);
}

}  // namespace rooflab::analysis
