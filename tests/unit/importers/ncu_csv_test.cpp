// SPDX-License-Identifier: Apache-2.0
// Exact values of the H200 ladder's pages, and the traps of such exports one by one.
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/measured.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using testing::import_ncu_csv;
using testing::import_or_fail;
using testing::metric_of;

constexpr const char* kLongHeader =
    R"x("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value")x"
    "\n";

std::string long_row(const std::string& metric, const std::string& unit, const std::string& value,
                     const std::string& section = "Command line profiler metrics") {
  return R"x("0","7","app","host","k(float *)","1","7","(256, 1, 1)","(64, 2, 1)","0","9.0",")x" +
         section + "\",\"" + metric + "\",\"" + unit + "\",\"" + value + "\"\n";
}

model::Profile read_or_fail(const std::string& text) {
  Result<model::Profile> p = import_ncu_csv(text);
  if (!p) {
    ADD_FAILURE() << p.error().message;
    return {};
  }
  return std::move(*p);
}

TEST(NcuCsv, RawPageOfTheLadder) {
  const model::Profile p = import_or_fail(testing::test_data("h200/ncu/ladder_raw.csv.gz"));
  ASSERT_EQ(p.measured.size(), 38U);
  EXPECT_EQ(p.work.size(), 0U);  // times of a profiled launch are no device work
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.text(p.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(p.devices[0].compute_major, 9);
  EXPECT_EQ(p.devices[0].compute_minor, 0);
  EXPECT_EQ(p.devices[0].multiprocessors, 132);
  EXPECT_EQ(p.text(p.measured.name[7]), "mm_reg(const float *, const float *, float *, int)");
  EXPECT_EQ(p.measured.order[7], 7);
  EXPECT_EQ(p.measured.process[7], 860);
  const model::LaunchConfig& config = p.launch_configs[p.measured.config[7].row];
  EXPECT_EQ(config.grid, (std::array<std::int32_t, 3>{32, 32, 1}));
  EXPECT_EQ(config.block, (std::array<std::int32_t, 3>{256, 1, 1}));
  EXPECT_EQ(config.registers, 105);
  EXPECT_EQ(config.shared_bytes, 8192);
  EXPECT_DOUBLE_EQ(metric_of(p, 7, "duration_ns"), 3859136);
  EXPECT_NEAR(metric_of(p, 7, "memory_percent"), 80.65, 0.001);
  EXPECT_DOUBLE_EQ(metric_of(p, 7, "shared_wavefronts_ideal"), 436207616);
  EXPECT_EQ(p.hygiene.count("number_ambiguous"), 0);
  EXPECT_EQ(p.hygiene.count("metric_unit_unexpected"), 0);
}

// One recording in scaled and in base units: the same values, to the digits that the scaled ones
// have.
TEST(NcuCsv, UnitsDoNotMatter) {
  const model::Profile scaled = import_or_fail(testing::test_data("h200/ncu/ladder_raw.csv.gz"));
  const model::Profile base = import_or_fail(testing::test_data("h200/ncu/ladder_raw_base.csv.gz"));
  ASSERT_EQ(scaled.measured.size(), base.measured.size());
  ASSERT_EQ(scaled.metrics.size(), base.metrics.size());
  EXPECT_GT(base.metrics.size(), 38U * 90);
  for (std::size_t i = 0; i < base.metrics.size(); ++i) {
    ASSERT_EQ(scaled.text(scaled.metrics.metric[i]), base.text(base.metrics.metric[i]));
    const double exact = base.metrics.value[i];
    EXPECT_NEAR(scaled.metrics.value[i], exact, 0.0051 + 0.006 * std::abs(exact))
        << base.text(base.metrics.metric[i]) << " of " << base.metrics.launch[i].row;
  }
}

TEST(NcuCsv, DetailsPageAgreesWithTheRawPage) {
  const model::Profile details =
      import_or_fail(testing::test_data("h200/ncu/ladder_details.csv.gz"));
  const model::Profile raw = import_or_fail(testing::test_data("h200/ncu/ladder_raw_base.csv.gz"));
  ASSERT_EQ(details.measured.size(), 38U);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < details.metrics.size(); ++i) {
    const std::string_view metric = details.text(details.metrics.metric[i]);
    const double other = metric_of(raw, details.metrics.launch[i].row, metric);
    if (std::isnan(other)) continue;
    if (metric == "issue_percent") continue;  // hundredths of a ratio on one of the pages
    ++compared;
    EXPECT_NEAR(details.metrics.value[i], other, 0.0051 + 0.006 * std::abs(other))
        << metric << " of launch " << details.metrics.launch[i].row;
  }
  EXPECT_GT(compared, 38U * 25);
  // A name with two meanings: the section decides.
  EXPECT_DOUBLE_EQ(metric_of(details, 7, "memory_percent"), 80.65);
  EXPECT_DOUBLE_EQ(metric_of(details, 7, "dram_bytes_per_second"), 102.92e9);
  EXPECT_DOUBLE_EQ(metric_of(details, 37, "advice_uncoalesced_percent"), 84.81);
}

TEST(NcuCsv, ToolLinesProgramOutputAndByteOrderMark) {
  const std::string text =
      "\xEF\xBB\xBF==PROF== Connected to process 7\r\nhello \"world\r\n" +
      std::string(kLongHeader) + long_row("gpu__time_duration.sum", "us", "1,234.5") +
      "==PROF== Disconnected\nDone in 3 s\n" + long_row("dram__bytes_op_read.sum", "Mbyte", "2");
  const model::Profile p = read_or_fail(text);
  ASSERT_EQ(p.measured.size(), 1U);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "duration_ns"), 1234500);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "dram_read_bytes"), 2e6);
  EXPECT_EQ(p.hygiene.count("foreign_line"), 1);
}

TEST(NcuCsv, NoNumberIsUnknownAndNeverZero) {
  for (const char* nothing : {"n/a", "nan", "no data", "inf", "-", "1.2.3,4"}) {
    const model::Profile p =
        read_or_fail(kLongHeader + long_row("dram__bytes_read.sum", "byte", nothing) +
                     long_row("gpu__time_duration.sum", "ns", "5"));
    EXPECT_TRUE(std::isnan(metric_of(p, 0, "dram_read_bytes"))) << nothing;
    EXPECT_EQ(p.hygiene.count("metric_without_value"), 1) << nothing;
  }
}

TEST(NcuCsv, DecimalCommaWhereTheFileShowsIt) {
  const model::Profile p =
      read_or_fail(kLongHeader + long_row("dram__bytes_read.sum", "byte", "27.595.520") +
                   long_row("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65,77") +
                   long_row("gpu__time_duration.sum", "ns", "1.234"));
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "dram_read_bytes"), 27595520);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "sm_percent"), 65.77);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "duration_ns"), 1234);
}

TEST(NcuCsv, TwoLanguagesInOneFileAreRefusedWhereTheyDiffer) {
  const model::Profile p = read_or_fail(
      kLongHeader + long_row("lts__t_sector_hit_rate.pct", "%", "65,77") +
      long_row("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65.77") +
      long_row("gpu__time_duration.sum", "ns", "1.234") + long_row("launch__grid_size", "", "128"));
  EXPECT_TRUE(std::isnan(metric_of(p, 0, "duration_ns")));
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "grid_blocks"), 128);
  EXPECT_EQ(p.hygiene.count("number_ambiguous"), 3);
}

TEST(NcuCsv, AUnitOfAnotherKindIsNotUsed) {
  const model::Profile p =
      read_or_fail(kLongHeader + long_row("gpu__time_duration.sum", "Mbyte", "5") +
                   long_row("launch__grid_size", "", "128"));
  EXPECT_TRUE(std::isnan(metric_of(p, 0, "duration_ns")));
  EXPECT_EQ(p.hygiene.count("metric_unit_unexpected"), 1);
}

constexpr const char* kWideHeader =
    R"x("ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","gpu__time_duration.sum","sm__made_up.sum","launch__registers_per_thread")x"
    "\n";

TEST(NcuCsv, RawPageWithAndWithoutUnits) {
  const std::string row = R"x("0","7","k(int)","256x2x1","1,1,1","0","12.0","1.5","9","40")x"
                          "\n";
  const model::Profile with =
      read_or_fail(kWideHeader +
                   std::string(R"x("","","","","","","","ms","","register/thread")x") + "\n" + row);
  EXPECT_DOUBLE_EQ(metric_of(with, 0, "duration_ns"), 1.5e6);
  EXPECT_EQ(with.hygiene.count("metric_not_kept"), 1);
  EXPECT_EQ(with.hygiene.count("units_missing"), 0);
  const model::Profile without = read_or_fail(kWideHeader + row);
  EXPECT_DOUBLE_EQ(metric_of(without, 0, "duration_ns"), 1.5);
  EXPECT_EQ(without.hygiene.count("units_missing"), 1);
  const model::LaunchConfig& config = without.launch_configs[without.measured.config[0].row];
  EXPECT_EQ(config.block, (std::array<std::int32_t, 3>{256, 2, 1}));
  EXPECT_EQ(config.registers, 40);
}

TEST(NcuCsv, ShortRowsAreKeptAndLongOnesRefused) {
  const model::Profile p =
      read_or_fail(std::string(kWideHeader) + R"x("0","7","k","1","1","0","9.0","5")x" + "\n" +
                   R"x("1","7","k","1","1","0","9.0","5","1","2","3")x" + "\n" +
                   R"x("2","7","k","1","1","0","9.0","6","1","2")x" + "\n");
  ASSERT_EQ(p.measured.size(), 2U);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "duration_ns"), 5);
  EXPECT_DOUBLE_EQ(metric_of(p, 1, "duration_ns"), 6);
  EXPECT_EQ(p.hygiene.count("short_row"), 1);
  EXPECT_EQ(p.hygiene.count("row_refused"), 1);
}

TEST(NcuCsv, ExportsPutTogetherKeepTheirLaunchesApart) {
  std::string other = long_row("gpu__time_duration.sum", "ns", "9");
  other.replace(other.find("k(float *)"), 10, "other(int)");
  const model::Profile p = read_or_fail(
      kLongHeader + long_row("gpu__time_duration.sum", "ns", "5") + kLongHeader + other);
  ASSERT_EQ(p.measured.size(), 2U);
  EXPECT_DOUBLE_EQ(metric_of(p, 1, "duration_ns"), 9);
}

TEST(NcuCsv, ACutFileKeepsWhatIsWhole) {
  const std::string text = kLongHeader + long_row("gpu__time_duration.sum", "ns", "5") +
                           R"x("0","7","app","host","k(float *)","1","7","(25)x";
  const model::Profile p = read_or_fail(text);
  EXPECT_EQ(p.measured.size(), 1U);
  EXPECT_EQ(p.hygiene.count("truncated_input"), 1);
}

TEST(NcuCsv, AnOpenQuoteDoesNotSwallowTheRest) {
  const model::Profile p = read_or_fail(
      kLongHeader + std::string(R"x("0","7","app","host","broken)x") + "\n" +
      long_row("gpu__time_duration.sum", "ns", "5") + long_row("launch__grid_size", "", "3"));
  EXPECT_DOUBLE_EQ(metric_of(p, p.measured.size() - 1, "grid_blocks"), 3);
  EXPECT_EQ(p.hygiene.count("damaged_record"), 1);
}

TEST(NcuCsv, RefusesWithAReason) {
  const auto none = import_ncu_csv("==PROF== Connected\nhello\n");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no header of a CSV page");
  EXPECT_FALSE(none.error().hint.empty());
  const auto forbidden =
      import_ncu_csv("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
  ASSERT_FALSE(forbidden);
  EXPECT_EQ(forbidden.error().message, "the profiler was not allowed to read counters");
  ASSERT_FALSE(import_ncu_csv(kLongHeader));
}

TEST(NcuCsv, PublicExportsAreReadWithoutLoss) {
  ROOFLAB_CASE(naive, "public/ncu_csv/gemm_naive.csv");
  const model::Profile p = import_or_fail(naive);
  ASSERT_EQ(p.measured.size(), 1U);
  EXPECT_EQ(p.metrics.size(), 12U);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "l2_hit_percent"), 100.39);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "dram_read_bytes"), 54207744);
  EXPECT_DOUBLE_EQ(metric_of(p, 0, "global_load_sectors"), 1342177280);
  EXPECT_EQ(p.devices[0].compute_major, 12);
  EXPECT_TRUE(p.hygiene.empty());
}

}  // namespace
}  // namespace rooflab::importers
