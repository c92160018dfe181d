// SPDX-License-Identifier: Apache-2.0
// TO WRITE: which tool, which version, and which of its figures `--as @name@` reproduces.
#include "analysis/peers/peer.h"

namespace rooflab::analysis {
namespace {

Result<PeerReport> figures(const model::Profile& /*profile*/) {
  return fail(ErrorCode::kUnavailable, "the figures of @name@ are still to be written");
}

}  // namespace

Peer peer_@name@() { return {"@name@", "TO WRITE: the tool and its report", &figures}; }

}  // namespace rooflab::analysis
