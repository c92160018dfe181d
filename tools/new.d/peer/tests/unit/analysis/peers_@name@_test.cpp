// SPDX-License-Identifier: Apache-2.0
// The figures of @name@, to the digits it prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/peers/peer.h"

namespace rooflab::analysis {
namespace {

TEST(Peers@Name@, IsInTheRegistry) {
  const std::vector<Peer> peers = all_peers();
  EXPECT_EQ(std::count_if(peers.begin(), peers.end(),
                          [](const Peer& p) { return std::string(p.id) == "@name@"; }),
            1);
}

TEST(Peers@Name@, PrintsTheToolsOwnDigits) {
  GTEST_SKIP() << "to be written: a file that the tool's own tests or documents give figures for";
}

}  // namespace
}  // namespace rooflab::analysis
