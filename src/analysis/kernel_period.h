// SPDX-License-Identifier: Apache-2.0
// Units of work in a file without ranges: the sequence of kernel names on one stream repeats.
//
//   a b c c d | a b c c d | a b c c d   ->  period 5, units begin at 0, 5, 10
//
// The period is the shortest one that the sequence follows throughout (layers repeat within a step,
// but not across its edge). Units begin where the largest gaps are, since a host loop pauses
// between iterations. A sequence of one name has no period, nor has one that repeats fewer than
// three times.
#pragma once

#include <cstdint>
#include <vector>

namespace rooflab::analysis {

struct SequenceItem {
  std::uint32_t name = 0;
  std::int64_t gap_before = 0;  // idle time between the item before and this one
};

// Indices at which units begin; empty if the sequence is not periodic.
[[nodiscard]] std::vector<std::size_t> find_period_starts(const std::vector<SequenceItem>& items);

}  // namespace rooflab::analysis
