// SPDX-License-Identifier: Apache-2.0
#include "model/sort_rows.h"

#include <algorithm>

namespace rooflab::model {
namespace {

struct Item {
  std::int64_t start;
  std::int64_t duration;
  std::uint32_t row;
};

// Rows of each track, in input order: a stable counting sort by track.
std::vector<std::uint32_t> rows_by_track(const std::vector<TrackId>& track,
                                         std::vector<std::size_t>& first) {
  for (const TrackId t : track) ++first[t.row + 1];
  for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  std::vector<std::uint32_t> rows(track.size());
  for (std::size_t row = 0; row < track.size(); ++row)
    rows[next[track[row].row]++] = static_cast<std::uint32_t>(row);
  return rows;
}

bool before_longer_first(const Item& a, const Item& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.duration != b.duration) return a.duration > b.duration;
  return a.row < b.row;
}

bool before(const Item& a, const Item& b) {
  return a.start != b.start ? a.start < b.start : a.row < b.row;
}

}  // namespace

RowOrder sorted_order(const std::vector<TrackId>& track, const std::vector<std::int64_t>& start,
                      const std::vector<std::int64_t>& duration, std::size_t track_count,
                      bool longer_first) {
  RowOrder order;
  std::vector<std::size_t> first(track_count + 1, 0);
  std::vector<std::uint32_t> rows = rows_by_track(track, first);
  const auto less = longer_first ? before_longer_first : before;
  std::vector<Item> items;
  for (std::size_t t = 0; t < track_count; ++t) {
    const std::size_t begin = first[t];
    const std::size_t end = first[t + 1];
    items.clear();
    items.reserve(end - begin);
    bool in_order = true;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = rows[i];
      items.push_back({start[row], duration[row], row});
      if (items.size() < 2) continue;
      const Item& last = items[items.size() - 2];
      if (items.back().start < last.start) ++order.out_of_order;
      in_order = in_order && less(last, items.back());
    }
    if (in_order) continue;
    std::sort(items.begin(), items.end(), less);
    for (std::size_t i = begin; i < end; ++i) rows[i] = items[i - begin].row;
  }
  bool identity = true;
  for (std::size_t i = 0; i < rows.size() && identity; ++i) identity = rows[i] == i;
  if (!identity) order.old_row = std::move(rows);
  return order;
}

}  // namespace rooflab::model
