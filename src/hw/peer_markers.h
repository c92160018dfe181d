// SPDX-License-Identifier: Apache-2.0
// The name patterns that other tools sort events by (data/markers/peers.json).
//
//   RE2 communication(hw::peer_pattern("tracelens", "communication"));  // partial match
//
// Asking for a pattern that the file does not have is our bug, not an input's.
#pragma once

#include <string>
#include <string_view>

namespace rooflab::hw {

[[nodiscard]] std::string peer_pattern(std::string_view peer, std::string_view key);

}  // namespace rooflab::hw
