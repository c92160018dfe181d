// SPDX-License-Identifier: Apache-2.0
#include "hw/optimizer_markers.h"

#include <gtest/gtest.h>

#include "hw/data.h"

namespace rooflab::hw {
namespace {

TEST(OptimizerMarkers, TheShippedOnesParse) {
  const auto markers = parse_optimizer_markers(shipped_text("markers/optimizers.json"));
  ASSERT_TRUE(markers.has_value()) << markers.error().message;
  EXPECT_FALSE(markers->ranges.empty());
  EXPECT_FALSE(markers->fused.empty());
  EXPECT_EQ(markers->element_bytes, 4);
  EXPECT_TRUE(markers->traffic.back().pattern.empty());  // any optimizer has some traffic
}

TEST(OptimizerMarkers, RefusesWhatIsNotExplained) {
  EXPECT_FALSE(parse_optimizer_markers("[]"));
  EXPECT_FALSE(parse_optimizer_markers("{}"));
  EXPECT_FALSE(parse_optimizer_markers(
      R"({"ranges":[{"pattern":"x"}],"fused":[],"traffic":[],"element_bytes":4})"));
  EXPECT_FALSE(parse_optimizer_markers(
      R"({"ranges":[],"fused":[],"traffic":[{"pattern":"","values":65,"why":"w","source":"s"}],
          "element_bytes":4})"));
}

}  // namespace
}  // namespace rooflab::hw
