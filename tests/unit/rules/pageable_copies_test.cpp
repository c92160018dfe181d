// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/hand_made_analysis.h"
#include "support/recording.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "pageable_copies";

analysis::CopyGroup group(std::int64_t count, std::int64_t bytes, std::int64_t ns) {
  analysis::CopyGroup g;
  g.direction = model::CopyDirection::kHostToDevice;
  g.memory = model::MemoryKind::kPageable;
  g.count = g.sized = count;
  g.bytes = Bytes(bytes);
  g.sum = Nanos(ns);
  return g;
}

TEST(PageableCopies, FiresWithTheRateAgainstTheLink) {
  HandMade h;
  h.own("copy.exposed.h2d.pageable", 90).own("compute.gemm", 10);
  h.analysis().copies = {group(6, 1'800'000'000, 300'000'000)};
  hw::DeviceEntry device;
  device.title = "Test GPU";
  device.host_link.value = 64e9;
  h.on(device);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.9);
  EXPECT_EQ(finding->where, "copy.exposed.h2d.pageable");
  EXPECT_THAT(finding->evidence[1].text,
              HasSubstr("6 copies, 1.80 GB in 300 ms, 6.00 GB/s (the link carries 64.0 GB/s)"));
}

TEST(PageableCopies, SaysThatSmallCopiesCostByTheirNumber) {
  HandMade h;
  h.own("copy.exposed.h2d.pageable", 50).own("compute.gemm", 50);
  h.analysis().copies = {group(200, 200 * 2048, 1'000'000)};
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->evidence.back().text, HasSubstr("2.05 kB on average"));
}

TEST(PageableCopies, PinnedOrHiddenCopiesAreNoReason) {
  HandMade pinned;
  pinned.own("copy.exposed.h2d.pinned", 90).own("compute.gemm", 10);
  EXPECT_TRUE(silent(kId, pinned.analysis()));
  HandMade hidden;
  hidden.own("compute.gemm", 100);
  hidden.analysis().copies = {group(6, 1'800'000'000, 300'000'000)};
  EXPECT_TRUE(silent(kId, hidden.analysis()));
}

TEST(PageableCopies, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

TEST(PageableCopies, TellsTheRecordedPairApart) {
  const auto pageable =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/large_pageable_copy.json.gz"));
  const auto pinned =
      rooflab::testing::analysed(rooflab::testing::test_data("h200/large_pinned_copy.json.gz"));
  ASSERT_TRUE(pageable != nullptr && pinned != nullptr);
  const auto finding = fired(kId, pageable->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.8);
  EXPECT_TRUE(proposes(*finding, {{"pin-copies", {}}}));
  EXPECT_TRUE(silent(kId, pinned->analysis));
}

}  // namespace
}  // namespace rooflab::rules
