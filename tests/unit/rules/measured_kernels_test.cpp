// SPDX-License-Identifier: Apache-2.0
// The ladder of 19 kernels with known faults: what is said first of each, from three exports; and
// every rule about measured kernels on hand-made counters: it fires, is silent, or says what it
// needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/kernel_key.h"
#include "support/measured.h"
#include "unit/rules/rule_support.h"

namespace rooflab::rules {
namespace {

using testing::measured_kernel;
using testing::Metrics;

struct Said {
  std::vector<std::string> rules;  // first things first
  std::vector<std::string> titles;
  bool fault = false;
};

// By the kernel's own name.
std::map<std::string, Said> said_of(const std::string& path) {
  std::map<std::string, Said> out;
  const auto recording = testing::analysed(path);
  if (recording == nullptr) return out;
  Findings findings = evaluate(recording->analysis, nullptr);
  std::stable_sort(findings.fired.begin(), findings.fired.end(),
                   [](const Finding& a, const Finding& b) { return a.order < b.order; });
  for (const analysis::MeasuredKernel& k : recording->analysis.counters.kernels)
    out[model::kernel_base(k.label)];
  for (const Finding& f : findings.fired) {
    Said& said = out[model::kernel_base(f.where)];
    said.rules.push_back(f.rule);
    said.titles.push_back(f.title);
    said.fault = said.fault || !f.position;
    EXPECT_FALSE(f.evidence.empty()) << f.id;
    EXPECT_FALSE(f.falsifier.empty()) << f.id;
    EXPECT_FALSE(f.fixes.empty()) << f.id;
    EXPECT_EQ(f.position, f.kernel_bound == 0) << f.id;
    EXPECT_TRUE(!f.gain || f.gain->bound) << f.id;
  }
  return out;
}

struct Expected {
  const char* kernel;
  std::set<std::string> first;
  const char* in_title = "";
};
const std::vector<Expected>& ladder() {
  static const std::vector<Expected> rows = {
      {"mm_naive_bad", {"uncoalesced_access"}},
      {"mm_naive", {"memory_bound_kernel"}, "L1"},
      {"mm_tiled", {"memory_bound_kernel"}, "L1"},
      {"mm_reg", {"bank_conflicts", "memory_bound_kernel"}},
      {"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize256x128x8_stage3_warpsize4x2x1_ffma_aligna4_"
       "alignc4_execute_kernel__5x_cublas",
       {"compute_bound_kernel"},
       "fma"},
      {"sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x32_warpgroupsize1x1x1_execute_"
       "segment_"
       "k_off_kernel__5x_cublas",
       {"compute_bound_kernel"},
       "matrix units"},
      {"copy1", {"memory_bound_kernel", "latency_bound_kernel"}},
      {"copy4", {"memory_bound_kernel"}, "device memory"},
      {"copy_strided", {"uncoalesced_access"}},
      {"red_atomic", {"atomic_contention"}},
      {"red_shfl", {"memory_bound_kernel"}, "device memory"},
      {"tr_naive", {"uncoalesced_access"}},
      {"tr_conflict", {"bank_conflicts"}},
      {"tr_padded", {"latency_bound_kernel"}},
      {"low_occupancy", {"low_occupancy"}, "shared memory"},
      {"divergent", {"divergence"}},
      {"tail_effect", {"tail_effect", "small_grid"}},
      {"spill", {"register_spills"}},
  };
  return rows;
}
const std::set<std::string>& clean() {
  static const std::set<std::string> names = {"mm_naive", "mm_tiled", "copy1",
                                              "copy4",    "red_shfl", "tr_padded"};
  return names;
}

// `pipes`: the page says which pipe is busy.
void expect_ladder(const std::map<std::string, Said>& said, const std::set<std::string>& leave_out,
                   bool pipes = true) {
  for (const auto& [name, what] : said) {
    const bool library = name.find("cublas") != std::string::npos || name.find("nvjet") == 0;
    if (library || clean().count(name) > 0) {
      EXPECT_FALSE(what.fault) << name << ": " << (what.rules.empty() ? "" : what.rules[0]);
    }
    if (name.find("nvjet") == 0 || name.find("tf32") != std::string::npos) {
      ASSERT_FALSE(what.rules.empty()) << name;
      EXPECT_EQ(what.rules[0], "compute_bound_kernel") << name;
    }
  }
  for (const Expected& e : ladder()) {
    const auto it = said.find(e.kernel);
    if (leave_out.count(e.kernel) > 0 || it == said.end()) continue;
    ASSERT_FALSE(it->second.rules.empty()) << e.kernel;
    EXPECT_EQ(e.first.count(it->second.rules[0]), 1U) << e.kernel << ": " << it->second.rules[0];
    if (!pipes && it->second.rules[0] == "compute_bound_kernel") continue;
    EXPECT_NE(it->second.titles[0].find(e.in_title), std::string::npos)
        << e.kernel << ": " << it->second.titles[0];
  }
}

TEST(MeasuredKernels, RawPageSaysTheFirstThingOfAllKernels) {
  for (const char* page : {"h200/ncu/ladder_raw.csv.gz", "h200/ncu/ladder_raw_base.csv.gz"}) {
    const auto said = said_of(testing::test_data(page));
    ASSERT_EQ(said.size(), 19U);
    expect_ladder(said, {});
  }
}

// The details page has no counters of atomics, local memory and (but for the recorder's own rules)
// of access patterns.
TEST(MeasuredKernels, DetailsPageSaysWhatItsColumnsAllow) {
  const auto said = said_of(testing::test_data("h200/ncu/ladder_details.csv.gz"));
  ASSERT_EQ(said.size(), 19U);
  // Its pipes are not in the file either: only that the multiprocessors are busy.
  expect_ladder(said, {"red_atomic", "spill"}, /*pipes=*/false);
}

TEST(MeasuredKernels, ReportAndItsRawPageSayTheSame) {
  const auto rep = said_of(testing::test_data("h200/ncu/small.ncu-rep.gz"));
  const auto raw = said_of(testing::test_data("h200/ncu/small_raw.csv"));
  ASSERT_EQ(rep.size(), 5U);
  expect_ladder(rep, {});
  ASSERT_EQ(raw.size(), 5U);
  for (const auto& [name, said] : rep) EXPECT_EQ(said.rules, raw.at(name).rules) << name;
}

TEST(MeasuredKernels, WithoutCountersEveryRuleSaysWhatItNeeds) {
  const auto trace = h200("gemm_aligned");
  ASSERT_NE(trace, nullptr);
  for (const char* rule :
       {"memory_bound_kernel", "compute_bound_kernel", "latency_bound_kernel", "uncoalesced_access",
        "bank_conflicts", "low_occupancy", "tail_effect", "register_spills", "divergence",
        "atomic_contention", "tensor_pipe_underused", "small_grid", "excess_traffic",
        "barrier_stalls"}) {
    EXPECT_NE(needs(rule, trace->analysis).find("counters of kernels"), std::string::npos) << rule;
    // A launch without the rule's counters: not zero, not healthy, but not evaluated.
    const auto bare = testing::analysed_profile(measured_kernel({{"dram_clock_hz", 3e9}}));
    ASSERT_NE(bare, nullptr);
    EXPECT_FALSE(needs(rule, bare->analysis).empty()) << rule;
  }
}

struct OnOff {
  const char* rule;
  Metrics fires, silent;
};
// Nothing is busy, all else is measured.
Metrics idle(Metrics more) {
  Metrics out = {
      {"memory_percent", 20}, {"sm_percent", 10}, {"fma_percent", 5}, {"warp_latency_cycles", 10}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(MeasuredKernels, FiresOnTheFaultAndNotBesideIt) {
  const std::vector<OnOff> cases = {
      {"memory_bound_kernel",
       {{"memory_percent", 61}, {"l2_percent", 61}},
       {{"memory_percent", 59}, {"sm_percent", 10}}},
      {"compute_bound_kernel",
       {{"tensor_percent", 61}, {"memory_percent", 60.5}},
       {{"tensor_percent", 61}, {"memory_percent", 62}}},
      {"latency_bound_kernel", idle({}), {{"memory_percent", 61}, {"sm_percent", 10}}},
      {"uncoalesced_access",
       {{"global_sectors_theoretical", 100}, {"global_sectors_ideal", 60}},
       {{"global_sectors_theoretical", 100}, {"global_sectors_ideal", 80}}},
      {"uncoalesced_access",
       {{"global_load_sectors", 320}, {"global_load_requests", 10}},
       {{"global_load_sectors", 160}, {"global_load_requests", 10}}},
      {"bank_conflicts",
       {{"shared_wavefronts_theoretical", 100}, {"shared_wavefronts_ideal", 50}},
       {{"shared_wavefronts_theoretical", 100}, {"shared_wavefronts_ideal", 80}}},
      {"bank_conflicts",
       {{"shared_bank_conflicts", 50}, {"shared_wavefronts", 100}},
       {{"shared_bank_conflicts", 0}}},
      {"low_occupancy",
       idle({{"theoretical_occupancy_percent", 25}, {"occupancy_limit_registers", 2}}),
       {{"memory_percent", 80}, {"sm_percent", 10}, {"theoretical_occupancy_percent", 25}}},
      {"tail_effect",
       idle({{"grid_blocks", 133}, {"multiprocessors", 132}, {"occupancy_limit_warps", 1}}),
       idle({{"grid_blocks", 264}, {"multiprocessors", 132}, {"occupancy_limit_warps", 1}})},
      {"register_spills",
       {{"local_load_requests", 50},
        {"local_store_requests", 10},
        {"global_load_requests", 100},
        {"instructions", 1000}},
       {{"local_load_requests", 50}, {"local_store_requests", 10}, {"instructions", 1e6}}},
      {"divergence", {{"threads_per_instruction", 16}}, {{"threads_per_instruction", 31}}},
      {"atomic_contention",
       idle({{"reduction_requests", 50},
             {"global_load_requests", 50},
             {"reduction_sectors", 1600},
             {"cycles_elapsed", 5000},
             {"stall_drain", 9}}),
       idle({{"reduction_requests", 50},
             {"global_load_requests", 50},
             {"reduction_sectors", 1600},
             {"cycles_elapsed", 50},
             {"stall_drain", 9}})},
      {"tensor_pipe_underused", idle({{"tensor_percent", 30}}), idle({{"tensor_percent", 0.1}})},
      {"small_grid",
       {{"grid_blocks", 20}, {"multiprocessors", 132}},
       {{"grid_blocks", 132}, {"multiprocessors", 132}}},
      {"barrier_stalls", idle({{"stall_barrier", 5}, {"stall_wait", 1}}),
       idle({{"stall_barrier", 4}, {"stall_global_memory", 5}})},
  };
  for (const OnOff& c : cases) {
    const auto on = testing::analysed_profile(measured_kernel(c.fires));
    const auto off = testing::analysed_profile(measured_kernel(c.silent));
    ASSERT_NE(on, nullptr);
    ASSERT_NE(off, nullptr);
    const auto finding = fired(c.rule, on->analysis);
    ASSERT_TRUE(finding) << c.rule;
    EXPECT_EQ(finding->id, std::string(c.rule) + ":k(int)");
    EXPECT_TRUE(silent(c.rule, off->analysis)) << c.rule;
  }
}

// A bound is of one kernel; of the whole it is what the kernel's share leaves.
TEST(MeasuredKernels, BoundsAreAtMostAndScaledByTheShare) {
  const auto recording = testing::analysed(testing::test_data("h200/ncu/ladder_raw_base.csv.gz"));
  ASSERT_NE(recording, nullptr);
  const Outcome outcome = outcome_of("uncoalesced_access", recording->analysis);
  const auto* findings = std::get_if<std::vector<Finding>>(&outcome);
  ASSERT_NE(findings, nullptr);
  for (const Finding& f : *findings) {
    ASSERT_TRUE(f.gain) << f.id;
    EXPECT_NEAR(f.gain->high, 1 / (1 - f.ratio.value * (1 - 1 / f.kernel_bound)), 1e-9);
    EXPECT_LE(f.gain->high, f.kernel_bound);
  }
}

TEST(MeasuredKernels, OccupancyNamesTheLimiterAndWhatWouldHelp) {
  const auto recording =
      testing::analysed_profile(measured_kernel(idle({{"theoretical_occupancy_percent", 12.5},
                                                      {"occupancy_limit_registers", 1},
                                                      {"occupancy_limit_shared_memory", 4},
                                                      {"registers_per_thread", 200}})));
  ASSERT_NE(recording, nullptr);
  const auto finding = fired("low_occupancy", recording->analysis);
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->title.find("registers"), std::string::npos);
  const bool says =
      std::any_of(finding->evidence.begin(), finding->evidence.end(), [](const Evidence& e) {
        return e.text.find("at most 100 registers a thread (now 200)") != std::string::npos;
      });
  EXPECT_TRUE(says);
  EXPECT_NEAR(finding->kernel_bound, 5, 1e-9);  // the busiest part has room for 100 / 20
}

}  // namespace
}  // namespace rooflab::rules
