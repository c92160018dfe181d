// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/columns.h"
#include "support/hand_made_analysis.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using rooflab::testing::HandMade;
using ::testing::HasSubstr;

constexpr const char* kId = "window_artefact";

TEST(WindowArtefact, FiresOnBlockedAndUnlinkedGaps) {
  HandMade h;
  h.own("idle.blocked", 6).own("idle.unlinked", 3).own("compute.gemm", 91);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->ratio.value, 0.09);
  EXPECT_THAT(finding->evidence[0].text, HasSubstr("6.00 ms between a launch"));
  EXPECT_TRUE(finding->remedy.empty());
  for (const Evidence& e : finding->evidence) EXPECT_EQ(e.text.find("no verdict"), e.text.npos);
}

TEST(WindowArtefact, SaysFromWhenNoVerdictIsGiven) {
  HandMade h;
  h.own("idle.blocked", 50).own("compute.gemm", 50);
  const auto finding = fired(kId, h.analysis());
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->evidence.back().text, HasSubstr("no verdict"));
}

TEST(WindowArtefact, NeedsDeviceWork) {
  HandMade h;
  EXPECT_THAT(needs(kId, h.analysis()), HasSubstr("device work"));
}

// Takes the kernels of a stretch of time out of a recording, as a sampled or cut file lacks them.
void cut_kernels_between(model::Profile& p, double from, double to) {
  const auto [first, last] = std::minmax_element(p.work.start.begin(), p.work.start.end());
  const auto span = static_cast<double>(*last - *first);
  const auto low = *first + static_cast<std::int64_t>(span * from);
  const auto high = *first + static_cast<std::int64_t>(span * to);
  std::vector<bool> gone;
  for (const std::int64_t start : p.work.start) gone.push_back(start >= low && start < high);
  model::for_each_column(p.work, [&](std::string_view /*name*/, auto& column) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < gone.size(); ++i) {
      if (!gone[i]) column[kept++] = column[i];
    }
    column.resize(kept);
  });
}

TEST(WindowArtefact, FiresOnACutRecordingAndNotOnTheWholeOne) {
  expect_silent_on(kId, {"healthy_gemm_chain", "transformer_healthy", "overlap_copy_compute",
                         "launch_bound_graphed", "sync_bound", "aa/a1"});
  auto whole =
      importers::import_file(rooflab::testing::test_data("h200/healthy_gemm_chain.json.gz"));
  ASSERT_TRUE(whole);
  cut_kernels_between(*whole, 0.4, 0.6);
  const auto cut = rooflab::testing::analysed_profile(std::move(*whole));
  ASSERT_NE(cut, nullptr);
  const auto finding = fired(kId, cut->analysis);
  ASSERT_TRUE(finding);
  EXPECT_GT(finding->ratio.value, 0.1);
}

}  // namespace
}  // namespace rooflab::rules
