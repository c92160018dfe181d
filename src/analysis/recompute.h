// SPDX-License-Identifier: Apache-2.0
// Forward work that is done a second time inside the backward pass (activation checkpointing): an
// operator that gradient formulas do not call, below a node of the autograd engine, with the name
// and arguments of one that ran outside of it before. Which names mean what stands in
// data/markers/backward.json and forward_only.json.
//
// Says nothing without recorded operators, and misses what a compiler fused away.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/host_tree.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct Recompute {
  std::vector<bool> again;           // by span row: it, or an operator around it, is done again
  std::vector<model::SpanId> roots;  // the outermost of them, in row order
};

[[nodiscard]] Recompute find_recompute(const model::Profile& profile, const HostTree& tree);

}  // namespace rooflab::analysis
