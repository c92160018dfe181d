// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "transfer_bound";

analysis::CopyGroup pinned(std::int64_t bytes, std::int64_t ns) {
  analysis::CopyGroup g;
  g.direction = model::CopyDirection::kHostToDevice;
  g.memory = model::MemoryKind::kPinned;
  g.count = g.sized = 1;
  g.bytes = Bytes(bytes);
  g.sum = Nanos(ns);
  return g;
}

HandMade copying(std::int64_t copy_ms, std::int64_t compute_ms) {
  HandMade h;
  h.own("copy.exposed.h2d.pinned", copy_ms).own("compute.gemm", compute_ms);
  return h;
}

TEST(TransferBound, FiresWhereComputationCannotHideTheCopies) {
  HandMade h = copying(80, 20);
  h.analysis().copies = {pinned(4'400'000'000, 80'000'000)};
  hw::DeviceEntry device;
  device.host_link.value = 64e9;
  h.on(device);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.8);
  EXPECT_THAT(finding->evidence[1].text, HasSubstr("at most 20.0 ms could be hidden"));
  EXPECT_THAT(finding->evidence[2].text, HasSubstr("as fast as it gets"));
  EXPECT_TRUE(proposes(*finding, {{"overlap-copies", {}}}));
}

TEST(TransferBound, SharesTheFieldWithCopyNotOverlapped) {
  for (const std::int64_t copy : {12, 30, 49, 51, 66, 67, 80, 99}) {
    HandMade h = copying(copy, 100 - copy);
    const bool bound = fired(kId, h.analysis()).has_value();
    const bool alone = fired("copy_not_overlapped", h.analysis()).has_value();
    EXPECT_NE(bound, alone) << copy;
    EXPECT_EQ(alone, copy <= 66) << copy;  // at 66 ms half of it fits beside 34 ms
  }
}

TEST(TransferBound, ComputationThatHidesOtherCopiesIsTaken) {
  HandMade h = copying(40, 60);
  h.analysis().accounting.devices[0].hidden_copy = Nanos(50'000'000);
  EXPECT_TRUE(fired(kId, h.analysis()));
}

TEST(TransferBound, IsSilentOnPageableLittleAndDeviceCopies) {
  HandMade pageable;
  pageable.own("copy.exposed.h2d.pageable", 90).own("compute.gemm", 10);
  EXPECT_TRUE(silent(kId, pageable.analysis()));
  HandMade inside;
  inside.own("copy.exposed.d2d.device", 90).own("compute.gemm", 10);
  EXPECT_TRUE(silent(kId, inside.analysis()));
  HandMade little;
  little.own("copy.exposed.h2d.pinned", 9).own("idle.in_call", 91);
  EXPECT_TRUE(silent(kId, little.analysis()));
}

TEST(TransferBound, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

TEST(TransferBound, FiresOnThePinnedCopyAtTheLinksRate) {
  const auto recording = h200("large_pinned_copy");
  ASSERT_NE(recording, nullptr);
  const auto finding = fired(kId, recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.9);
  EXPECT_THAT(finding->evidence[2].text, HasSubstr("55.1 GB/s"));
  expect_silent_on(kId, {"large_pageable_copy", "overlap_copy_compute", "transformer_healthy"});
}

}  // namespace
}  // namespace rooflab::rules
