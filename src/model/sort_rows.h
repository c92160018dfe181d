// SPDX-License-Identifier: Apache-2.0
// Row order of the big tables: by track, then start, then longer first, then input order.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace rooflab::model {

struct RowOrder {
  std::vector<std::uint32_t> old_row;  // by new row; empty when the rows are in order already
  std::int64_t out_of_order = 0;       // rows that start before their predecessor on the same track
};

// `longer_first`: among equal starts the longer row comes first (so that a parent precedes its
// children).
[[nodiscard]] RowOrder sorted_order(const std::vector<TrackId>& track,
                                    const std::vector<std::int64_t>& start,
                                    const std::vector<std::int64_t>& duration,
                                    std::size_t track_count, bool longer_first);

template <class T>
void gather(std::vector<T>& column, const std::vector<std::uint32_t>& old_row) {
  if (old_row.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(column.size());
  for (const std::uint32_t row : old_row) sorted.push_back(column[row]);
  column.swap(sorted);
}

}  // namespace rooflab::model
