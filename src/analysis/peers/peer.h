// SPDX-License-Identifier: Apache-2.0
// Other tools' own figures, by their own definitions, so that a user can reconcile ours with theirs
// (`why --as ID`). One file src/analysis/peers/<id>.cpp with `Peer peer_<id>()`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct PeerFigure {
  std::string key;  // snake_case with unit: "computation_ms"
  double value = 0;
  int decimals = 3;  // as the peer prints it
};

struct PeerRow {
  std::string label;  // "average", "step 5", "device 0"
  std::vector<PeerFigure> figures;
};

struct PeerReport {
  std::string definition;  // window, event set and aggregation, in a sentence or two
  std::string difference;  // why it differs from ours
  std::vector<PeerRow> rows;
};

struct Peer {
  const char* id;     // "tracelens"
  const char* title;  // "TraceLens gpu_timeline"
  Result<PeerReport> (*figures)(const model::Profile&);
};

std::vector<Peer> all_peers();  // generated

}  // namespace rooflab::analysis
