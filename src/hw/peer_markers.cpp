// SPDX-License-Identifier: Apache-2.0
#include "hw/peer_markers.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "hw/data.h"

namespace rooflab::hw {

std::string peer_pattern(std::string_view peer, std::string_view key) {
  const auto file = nlohmann::json::parse(shipped_text("markers/peers.json"), nullptr,
                                          /*allow_exceptions=*/false);
  CHECK(file.is_object() && file.contains("peers"), "data/markers/peers.json is shipped and valid");
  const auto& peers = file["peers"];
  const auto found = peers.find(std::string(peer));
  CHECK(found != peers.end() && found->is_object(), "the peer is in data/markers/peers.json");
  const auto pattern = found->find(std::string(key));
  CHECK(pattern != found->end() && pattern->is_string(), "the peer has this pattern");
  return pattern->get<std::string>();
}

}  // namespace rooflab::hw
