// SPDX-License-Identifier: Apache-2.0
// A report and the raw page of the same recording say the same; damage is an error or is counted.
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/measured.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using testing::import_ncu_rep;
using testing::metric_of;

const std::string& report() {
  static const std::string text =
      testing::text_of_file(testing::test_data("h200/ncu/small.ncu-rep.gz"));
  return text;
}

TEST(NcuRep, TheRawPageOfTheSameRecordingAgrees) {
  const model::Profile rep =
      testing::import_or_fail(testing::test_data("h200/ncu/small.ncu-rep.gz"));
  const model::Profile csv = testing::import_or_fail(testing::test_data("h200/ncu/small_raw.csv"));
  ASSERT_EQ(rep.measured.size(), 10U);
  ASSERT_EQ(csv.measured.size(), 10U);
  EXPECT_EQ(rep.text(rep.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(rep.devices[0].multiprocessors, 132);
  EXPECT_EQ(rep.devices[0].compute_major, 9);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(rep.text(rep.measured.name[i]), csv.text(csv.measured.name[i]));
    EXPECT_EQ(rep.measured.process[i], csv.measured.process[i]);
    EXPECT_EQ(rep.measured.order[i], csv.measured.order[i]);
    EXPECT_EQ(rep.launch_configs[rep.measured.config[i].row],
              csv.launch_configs[csv.measured.config[i].row]);
  }
  ASSERT_EQ(rep.metrics.size(), csv.metrics.size());
  for (std::size_t i = 0; i < rep.metrics.size(); ++i) {
    const std::string_view metric = rep.text(rep.metrics.metric[i]);
    ASSERT_EQ(metric, csv.text(csv.metrics.metric[i]));
    // The page rounds some ratios to hundredths.
    const double coarse = metric == "issue_percent" ? 0.51 : 0.0051;
    EXPECT_NEAR(rep.metrics.value[i], csv.metrics.value[i],
                coarse + 1e-4 * std::abs(csv.metrics.value[i]))
        << metric;
  }
  EXPECT_DOUBLE_EQ(metric_of(rep, 1, "duration_ns"), 275873760);
}

TEST(NcuRep, ACutReportKeepsTheLaunchesBefore) {
  std::size_t before = 0;
  for (const double part : {0.5, 0.6, 0.7, 0.9}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(report().size()));
    const auto p = import_ncu_rep(std::string_view(report()).substr(0, size));
    ASSERT_TRUE(p) << part;
    EXPECT_GE(p->measured.size(), before);
    EXPECT_LT(p->measured.size(), 10U);
    EXPECT_EQ(p->hygiene.count("truncated_input"), 1) << part;
    before = p->measured.size();
  }
  EXPECT_GE(before, 6U);
}

TEST(NcuRep, SizesAreNotBelieved) {
  using namespace std::string_literals;
  EXPECT_FALSE(import_ncu_rep(""));
  EXPECT_FALSE(import_ncu_rep("NVR\0\xff\xff\xff\xff"s));
  EXPECT_FALSE(import_ncu_rep("NVR\0\x02\0\0\0\x08\x07\xff\xff\xff\x0f"s));
  // A payload that claims 2^60 bytes.
  const auto claimed = import_ncu_rep(
      "NVR\0\x02\0\0\0\x08\x07\x0d\0\0\0\x10\x01\x28\x80\x80\x80\x80\x80\x80\x80\x80\x10\x00"s);
  ASSERT_FALSE(claimed);
  EXPECT_FALSE(claimed.error().hint.empty());
}

TEST(NcuRep, AnotherVersionIsTriedAndSaid) {
  std::string text = report();
  ASSERT_EQ(text[9], '\x07');
  text[9] = '\x08';
  const auto p = import_ncu_rep(text);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->measured.size(), 10U);
  EXPECT_EQ(p->hygiene.count("report_version_unknown"), 1);
}

}  // namespace
}  // namespace rooflab::importers
