// SPDX-License-Identifier: Apache-2.0
#include "hw/counters.h"

#include <gtest/gtest.h>

#include <set>

namespace rooflab::hw {
namespace {

TEST(Counters, ShippedNamesAndFormulasAreOfShippedMetrics) {
  EXPECT_GT(all_counter_metrics().size(), 90U);
  std::set<std::string> ids;
  for (const CounterMetric& m : all_counter_metrics())
    EXPECT_TRUE(ids.insert(m.id).second) << m.id << " twice";
  EXPECT_GT(counter_formulas().size(), 15U);
  for (const CounterFormula& f : counter_formulas()) {
    EXPECT_NE(counter_metric(f.id), nullptr) << f.id;
    const auto one = [](std::string_view) { return std::optional<double>(1); };
    EXPECT_TRUE(evaluate_formula(f.formula, one)) << f.formula;
  }
}

TEST(Counters, NamesOfVersionsAndPagesMeanOneMetric) {
  for (const char* name : {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}) {
    const auto metric = canonical_metric(name);
    ASSERT_TRUE(metric) << name;
    EXPECT_EQ(metric->id, "dram_read_bytes");
  }
  EXPECT_EQ(canonical_metric("GPU Speed Of Light Throughput/Memory Throughput")->id,
            "memory_percent");
  EXPECT_EQ(canonical_metric("Memory Workload Analysis/Memory Throughput")->id,
            "dram_bytes_per_second");
  EXPECT_FALSE(canonical_metric("Memory Throughput"));
  EXPECT_EQ(canonical_metric("smsp__issue_active.avg.per_cycle_active")->factor, 100);
  EXPECT_FALSE(canonical_metric("sm__made_up.sum"));
}

TEST(Counters, UnitsBecomeBaseUnits) {
  struct Case {
    const char* unit;
    double factor;
    Dimension dimension;
  };
  for (const Case& c : {Case{"ms", 1e6, Dimension::kNanos},
                        {"us", 1e3, Dimension::kNanos},
                        {"Kbyte/block", 1e3, Dimension::kBytes},
                        {"Gbyte", 1e9, Dimension::kBytes},
                        {"Tbyte/s", 1e12, Dimension::kBytesPerSecond},
                        {"byte/second", 1, Dimension::kBytesPerSecond},
                        {"Ghz", 1e9, Dimension::kHertz},
                        {"cycle/nsecond", 1e9, Dimension::kHertz},
                        {"%", 1, Dimension::kPercent},
                        {"inst/cycle", 1, Dimension::kCount},
                        {"register/thread", 1, Dimension::kCount},
                        {"", 1, Dimension::kCount},
                        {"SM", 1, Dimension::kCount}}) {
    const auto unit = base_unit(c.unit);
    ASSERT_TRUE(unit) << c.unit;
    EXPECT_EQ(unit->factor, c.factor) << c.unit;
    EXPECT_EQ(unit->dimension, c.dimension) << c.unit;
  }
  for (const char* unit : {"Xbyte", "%/Kbyte", "byte/sector", "12", "furlong/fortnight!!"})
    EXPECT_FALSE(base_unit(unit)) << unit;
}

// MI300: reads halve where the bubbles are left out.
TEST(Counters, FormulasOverRawCounters) {
  const auto value = [](std::string_view name) -> std::optional<double> {
    if (name == "TCC_BUBBLE_sum") return 100;
    if (name == "TCC_EA0_RDREQ_sum") return 120;
    if (name == "TCC_EA0_RDREQ_32B_sum") return 8;
    return std::nullopt;
  };
  for (const CounterFormula& f : counter_formulas()) {
    if (f.id != "dram_read_bytes" || f.chips != std::vector<std::string>{"gfx942"}) continue;
    EXPECT_EQ(evaluate_formula(f.formula, value), 128.0 * 100 + 64 * 12 + 32 * 8);
  }
  const auto two = [](std::string_view) { return std::optional<double>(2); };
  EXPECT_EQ(evaluate_formula("2 * (a - 3) / a + 10", two), 9.0);
  EXPECT_EQ(evaluate_formula("8 - 2 - 1", two), 5.0);
  for (const char* bad :
       {"", "1 +", "(1", "1)", "1 2", "a / 0", "* 1", "1 % 2", "()", "1 / (a - a)"})
    EXPECT_FALSE(evaluate_formula(bad, two)) << bad;
  EXPECT_FALSE(evaluate_formula("unknown", value));
}

TEST(Counters, MalformedFilesAreErrors) {
  EXPECT_FALSE(parse_counter_metrics("[]"));
  EXPECT_FALSE(
      parse_counter_metrics(R"({"metrics": [{"id": "a", "unit": "furlong", "what": "b"}]})"));
  EXPECT_FALSE(parse_counter_aliases(R"({"aliases": [{"id": "a", "names": "b"}]})"));
  EXPECT_FALSE(parse_counter_aliases(R"({"aliases": [{"id": "a", "names": [], "factor": 0}]})"));
  EXPECT_FALSE(parse_counter_formulas(R"({"formulas": [{"id": "a"}]})"));
}

}  // namespace
}  // namespace rooflab::hw
