// SPDX-License-Identifier: Apache-2.0
// Files that are ranks of one job, analysed together; and which of several files may be.
//
//   rank0.json.gz rank1.json.gz        one job
//   a.rank0.json a.rank1.json b.rank0.json b.rank1.json    two: no rank twice in one job, so the
//                                      files are told apart by what their names have beside ranks
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/rank_comparison.h"
#include "base/result.h"
#include "hw/device_catalog.h"
#include "model/job.h"

namespace rooflab::cli {

// Points into itself: stays where it is.
struct LoadedRanks {
  std::vector<model::Profile> profiles;  // by place
  model::Job job;
  std::vector<analysis::Analysis> analyses;
  analysis::RankComparison comparison;
  // Of the rank that the others wait for, else of the first: with the accounting of all ranks,
  // whose stretches of time are left out but for its own.
  analysis::Analysis joint;
};

// Groups of indices into `profiles` that claim to be one job each, in order; an entry is absent
// where that file could not be read.
[[nodiscard]] std::vector<std::vector<std::size_t>> jobs_among(
    const std::vector<std::optional<model::Profile>>& profiles);
// Error: why they are not one job; the profiles are then still there.
[[nodiscard]] Result<std::unique_ptr<LoadedRanks>> join_ranks(
    std::vector<std::optional<model::Profile>>& profiles, const std::vector<std::size_t>& group,
    const hw::DeviceCatalog& catalog, const analysis::Selection& selection);

}  // namespace rooflab::cli
