// SPDX-License-Identifier: Apache-2.0
// Every PyTorch file against figures computed from it independently (Python, decimal arithmetic).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "support/cases.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::Profile;
using model::SpanKind;
using model::WorkKind;
using testing::count_spans;
using testing::count_work;
using testing::import_or_fail;
using testing::sum_work;

struct Expected {
  const char* path;
  std::array<std::size_t, 3> count;    // kernels, copies, sets
  std::array<std::int64_t, 3> sum_ns;  // of each
  std::int64_t copy_bytes, busy_ns;    // busy: union per device, summed over devices
  std::int64_t first_start_unix_ns;    // of device work
  std::size_t linked, ops, ranges, calls, python, memory, forward_backward;
};

constexpr Expected kOwn[] = {
    {"h200/aa/a1.json.gz",
     {1640, 20, 480},
     {80516523, 680291, 364534},
     1342177280,
     81561348,
     1796055483501101911,
     2140,
     9940,
     60,
     2162,
     0,
     0,
     700},
    {"h200/aa/a2.json.gz",
     {1640, 20, 480},
     {80512830, 677024, 363299},
     1342177280,
     81553153,
     1796055492892424796,
     2140,
     9940,
     60,
     2162,
     0,
     0,
     700},
    {"h200/aa/b1.json.gz",
     {1680, 20, 520},
     {87173506, 686816, 402625},
     1342177280,
     88262947,
     1796055514686264660,
     2220,
     10020,
     60,
     2242,
     0,
     0,
     700},
    {"h200/dataloader_workers0.json.gz",
     {84, 6, 36},
     {3387317, 44833, 29857},
     1572864,
     3462007,
     1796050918015827978,
     126,
     1492,
     12,
     140,
     0,
     0,
     0},
    {"h200/dataloader_workers8.json.gz",
     {280, 20, 120},
     {11395871, 191390, 93185},
     5242880,
     11680446,
     1796050919541421882,
     420,
     1644,
     40,
     529,
     0,
     0,
     0},
    {"h200/ddp/balanced.rank0.json.gz",
     {285, 45, 80},
     {20911197, 882871, 68030},
     1678049280,
     20417537,
     1796053132260872762,
     410,
     1515,
     45,
     807,
     0,
     0,
     95},
    {"h200/ddp/balanced.rank1.json.gz",
     {285, 45, 80},
     {30873593, 952443, 71360},
     1678049280,
     25455969,
     1796053132260880008,
     410,
     1515,
     45,
     1072,
     0,
     0,
     95},
    {"h200/ddp/straggler.rank0.json.gz",
     {285, 45, 80},
     {132525539, 987837, 78749},
     1678049280,
     125043916,
     1796053096172590196,
     410,
     1515,
     45,
     997,
     0,
     0,
     95},
    {"h200/ddp/straggler.rank1.json.gz",
     {285, 45, 80},
     {20605682, 934300, 69981},
     1678049280,
     19225592,
     1796053096190836234,
     410,
     1515,
     50,
     982,
     0,
     0,
     95},
    {"h200/elementwise_memory_bound.json.gz",
     {30, 0, 0},
     {8295971, 0, 0},
     0,
     8295971,
     1796050911333294019,
     30,
     30,
     6,
     32,
     0,
     0,
     0},
    {"h200/gemm_aligned.json.gz",
     {6, 0, 6},
     {1068704, 0, 4672},
     0,
     1073376,
     1796050911083291016,
     12,
     12,
     6,
     14,
     0,
     0,
     0},
    {"h200/gemm_misaligned.json.gz",
     {6, 0, 0},
     {5364140, 0, 0},
     0,
     5364140,
     1796050911063106958,
     6,
     12,
     6,
     14,
     0,
     0,
     0},
    {"h200/healthy_gemm_chain.json.gz",
     {32, 0, 32},
     {21352889, 0, 28768},
     0,
     21381657,
     1796055683971056520,
     64,
     64,
     8,
     66,
     0,
     0,
     0},
    {"h200/healthy_inference_large_batch.json.gz",
     {360, 0, 180},
     {123839459, 0, 178786},
     0,
     124018245,
     1796055683556549281,
     540,
     2376,
     6,
     650,
     0,
     0,
     0},
    {"h200/large_pageable_copy.json.gz",
     {12, 6, 6},
     {1182974, 291099297, 4737},
     1610612736,
     292287008,
     1796050910496987649,
     24,
     48,
     6,
     38,
     0,
     0,
     0},
    {"h200/large_pinned_copy.json.gz",
     {12, 6, 6},
     {1186236, 29222898, 4769},
     1610612736,
     30413903,
     1796050910849002977,
     24,
     48,
     6,
     32,
     0,
     0,
     0},
    {"h200/launch_bound.json.gz",
     {1920, 0, 0},
     {1774249, 0, 0},
     0,
     1774249,
     1796050907663810698,
     1920,
     1920,
     8,
     1922,
     0,
     0,
     0},
    {"h200/launch_bound_graphed.json.gz",
     {1920, 0, 0},
     {2325219, 0, 0},
     0,
     2325219,
     1796050917482052545,
     1920,
     0,
     8,
     18,
     0,
     0,
     0},
    {"h200/loader_starved.json.gz",
     {104, 8, 0},
     {1406906, 50913, 0},
     1572864,
     1457819,
     1796050908899123927,
     112,
     664,
     32,
     130,
     5320,
     0,
     0},
    {"h200/loader_steady_w0.json.gz",
     {168, 12, 72},
     {6723423, 87808, 53787},
     3145728,
     6865018,
     1796055667075337765,
     252,
     2940,
     24,
     278,
     0,
     0,
     0},
    {"h200/loader_steady_w4.json.gz",
     {840, 60, 360},
     {33948069, 489469, 263005},
     15728640,
     34700543,
     1796055673548339040,
     1260,
     4920,
     120,
     1562,
     0,
     0,
     0},
    {"h200/overlap_copy_compute.json.gz",
     {24, 4, 24},
     {35888829, 19772024, 60735},
     1073741824,
     36420317,
     1796050917424341942,
     52,
     64,
     4,
     74,
     0,
     0,
     0},
    {"h200/pairs/copies_coalesced.after.json.gz",
     {96, 8, 0},
     {352035, 157919, 0},
     3276800,
     509954,
     1796053143284053531,
     104,
     416,
     8,
     122,
     0,
     0,
     0},
    {"h200/pairs/copies_coalesced.before.json.gz",
     {96, 1600, 0},
     {352640, 1422651, 0},
     3276800,
     1775291,
     1796053143070203546,
     1696,
     6736,
     8,
     4898,
     0,
     0,
     0},
    {"h200/pairs/inference_graphed.after.json.gz",
     {1080, 12, 96},
     {3731671, 29505, 83837},
     48,
     3845013,
     1796053152557473312,
     1188,
     132,
     12,
     86,
     0,
     0,
     0},
    {"h200/pairs/inference_graphed.before.json.gz",
     {1080, 12, 96},
     {3644772, 27870, 75933},
     48,
     3748575,
     1796053152376194622,
     1188,
     6468,
     12,
     1502,
     0,
     0,
     0},
    {"h200/pairs/tf32_allowed.after.json.gz",
     {6, 0, 6},
     {2022862, 0, 4511},
     0,
     2027373,
     1796053150227796873,
     12,
     12,
     6,
     26,
     0,
     0,
     0},
    {"h200/pairs/tf32_allowed.before.json.gz",
     {6, 0, 0},
     {16160732, 0, 0},
     0,
     16160732,
     1796053150205775106,
     6,
     12,
     6,
     14,
     0,
     0,
     0},
    {"h200/sync_bound.json.gz",
     {640, 320, 0},
     {811516, 452035, 0},
     1280,
     1263551,
     1796050907845395955,
     960,
     1920,
     8,
     1282,
     0,
     0,
     0},
    {"h200/transformer_healthy.json.gz",
     {1398, 3, 339},
     {90491105, 103680, 308558},
     201326592,
     90899853,
     1796050915853549848,
     1740,
     9633,
     9,
     1961,
     0,
     3564,
     894},
};

constexpr Expected kPublic[] = {
    {"public/hta/ns_resolution.json.gz",
     {4350, 1600, 145},
     {468153602, 3715404, 585435},
     512205160,
     472454441,
     1712195495505582988,
     6095,
     23910,
     70,
     15329,
     0,
     0,
     905},
    {"public/tensorboard/resnet50_num_workers_0.json.gz",
     {8772, 12, 312},
     {591532000, 11492000, 534000},
     115607040,
     603558000,
     1623142623529248000,
     9096,
     23622,
     24,
     11923,
     0,
     12838,
     0},
    {"public/tensorboard/resnet50_num_workers_4.json.gz",
     {8868, 12, 378},
     {594868000, 18959000, 586000},
     115607040,
     614413000,
     1623212388471988000,
     9258,
     20538,
     24,
     12085,
     0,
     10980,
     0},
    {"public/tracelens/h100_bert.json.gz",
     {60, 1, 0},
     {307197, 2240, 0},
     1,
     309437,
     1752830083333430849,
     61,
     479,
     1,
     132,
     1385,
     236,
     0},
    {"public/tracelens/h100_falconsai.json.gz",
     {154, 0, 2},
     {1220926, 0, 4384},
     0,
     1225310,
     1752825292661852962,
     156,
     1258,
     1,
     383,
     2117,
     620,
     0},
    {"public/tracelens/h100_timesformer.json.gz",
     {446, 2, 86},
     {154855595, 3464142, 113437},
     38535968,
     158433174,
     1752831015703274099,
     534,
     3540,
     1,
     929,
     42330,
     1264,
     0},
    {"public/tracelens/mi300_bert.json.gz",
     {60, 1, 0},
     {388344, 2404, 0},
     1,
     390748,
     1753615174330237582,
     61,
     519,
     1,
     161,
     1389,
     236,
     0},
    {"public/tracelens/mi300_falconsai.json.gz",
     {155, 0, 0},
     {1716301, 0, 0},
     0,
     1716301,
     1753610116223674156,
     155,
     1381,
     1,
     437,
     2121,
     620,
     0},
    {"public/tracelens/unit/elem_01_add_poor_bw.json.gz",
     {10, 0, 0},
     {4210194, 0, 0},
     0,
     4210194,
     1773077779279898213,
     10,
     10,
     0,
     12,
     129,
     0,
     0},
    {"public/tracelens/unit/gemm_01_compute_few_tiles.json.gz",
     {20, 0, 0},
     {10890000, 0, 0},
     0,
     10890000,
     1771536568903177000,
     20,
     10,
     0,
     32,
     126,
     0,
     0},
    {"public/tracelens/unit/gemm_03_compute_misaligned.json.gz",
     {10, 0, 0},
     {3672000, 0, 0},
     0,
     3672000,
     1771536568940108000,
     10,
     10,
     0,
     22,
     126,
     0,
     0},
};

std::int64_t busy_ns(const Profile& p) {
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> by_device;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    by_device[p.device_of(i).row].emplace_back(p.work.start[i], p.work.end(i));
  }
  std::int64_t busy = 0;
  for (auto& [device, intervals] : by_device) {
    std::sort(intervals.begin(), intervals.end());
    std::int64_t covered = std::numeric_limits<std::int64_t>::min();
    for (const auto& [start, end] : intervals) {
      busy += std::max<std::int64_t>(0, end - std::max(start, covered));
      covered = std::max(covered, end);
    }
  }
  return busy;
}

void check(const Profile& p, const Expected& e) {
  constexpr std::array kKinds{WorkKind::kKernel, WorkKind::kCopy, WorkKind::kMemset};
  std::int64_t bytes = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::size_t linked = 0;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.kind[i] == WorkKind::kCopy) bytes += p.work.bytes[i];
    first = std::min(first, p.work.start[i]);
    linked += p.work.launch[i].valid() ? 1U : 0U;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(count_work(p, kKinds[k]), e.count[k]);
    EXPECT_EQ(sum_work(p, kKinds[k]), e.sum_ns[k]);
  }
  EXPECT_EQ(bytes, e.copy_bytes);
  EXPECT_EQ(busy_ns(p), e.busy_ns);
  EXPECT_EQ(p.provenance.epoch_ns + first, e.first_start_unix_ns);
  EXPECT_EQ(linked, e.linked);
  EXPECT_EQ(count_spans(p, SpanKind::kOp), e.ops);
  EXPECT_EQ(count_spans(p, SpanKind::kUserRange), e.ranges);
  EXPECT_EQ(count_spans(p, SpanKind::kRuntimeCall) + count_spans(p, SpanKind::kDriverCall),
            e.calls);
  EXPECT_EQ(count_spans(p, SpanKind::kPython), e.python);
  EXPECT_EQ(p.memory_events.size(), e.memory);
  EXPECT_EQ(p.forward_backward.size(), e.forward_backward);
  EXPECT_TRUE(p.provenance.device_activity_recorded);
  EXPECT_TRUE(p.provenance.host_ops_recorded || e.ops == 0);
  // Times are kept small, so that nothing after the importer has to worry about their size.
  EXPECT_GE(first, 0);
  EXPECT_LT(first, std::int64_t{3600} * 1'000'000'000);
  for (const char* repair : {"repaired_event", "dropped_unparsable", "dropped_device_work",
                             "truncated_input", "unknown_category", "repaired_header"}) {
    EXPECT_EQ(p.hygiene.count(repair), 0) << repair;
  }
}

TEST(KinetoFiles, OwnRecordings) {
  for (const Expected& e : kOwn) {
    SCOPED_TRACE(e.path);
    check(import_or_fail(testing::test_data(e.path)), e);
  }
}

TEST(KinetoFiles, PublicRecordings) {
  for (const Expected& e : kPublic) {
    ROOFLAB_CASE(path, e.path);
    SCOPED_TRACE(e.path);
    check(import_or_fail(path), e);
  }
}

TEST(KinetoFiles, CopiesHaveDirectionAndMemory) {
  struct Case {
    const char* path;
    std::size_t count;
    model::CopyDirection direction;
    model::MemoryKind source, target;
  };
  using model::CopyDirection;
  using model::MemoryKind;
  constexpr Case kCases[] = {
      {"h200/large_pageable_copy.json.gz", 6, CopyDirection::kHostToDevice, MemoryKind::kPageable,
       MemoryKind::kDevice},
      {"h200/large_pinned_copy.json.gz", 6, CopyDirection::kHostToDevice, MemoryKind::kPinned,
       MemoryKind::kDevice},
      {"h200/sync_bound.json.gz", 320, CopyDirection::kDeviceToHost, MemoryKind::kDevice,
       MemoryKind::kPinned},
      {"h200/transformer_healthy.json.gz", 3, CopyDirection::kDeviceToDevice, MemoryKind::kDevice,
       MemoryKind::kDevice},
      {"h200/pairs/inference_graphed.after.json.gz", 12, CopyDirection::kDeviceToHost,
       MemoryKind::kDevice, MemoryKind::kPageable},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.path);
    const Profile p = import_or_fail(testing::test_data(c.path));
    EXPECT_EQ(count_work(p, WorkKind::kCopy), c.count);
    for (std::size_t i = 0; i < p.work.size(); ++i) {
      if (p.work.kind[i] != WorkKind::kCopy) continue;
      ASSERT_EQ(p.work.direction[i], c.direction);
      ASSERT_EQ(p.work.source_memory[i], c.source);
      ASSERT_EQ(p.work.target_memory[i], c.target);
    }
  }
}

TEST(KinetoFiles, DeviceAndRankAreRead) {
  const Profile p = import_or_fail(testing::test_data("h200/ddp/straggler.rank1.json.gz"));
  EXPECT_EQ(p.rank.rank, 1);
  EXPECT_EQ(p.rank.world_size, 2);
  EXPECT_EQ(p.rank.backend, "nccl");
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.text(p.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(p.devices[0].vendor, model::Vendor::kNvidia);
  EXPECT_EQ(p.devices[0].multiprocessors, 132);
  EXPECT_EQ(p.devices[0].memory_bytes, 150109880320);
  EXPECT_EQ(p.devices[0].shared_bytes_per_multiprocessor, 233472);
}

TEST(KinetoFiles, CollectivesSayWhatTheyMoved) {
  const Profile p = import_or_fail(testing::test_data("h200/ddp/straggler.rank0.json.gz"));
  std::size_t collectives = 0;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (!p.work.collective[i].valid()) continue;
    ++collectives;
    const model::Collective& c = p.collectives[p.work.collective[i].row];
    EXPECT_EQ(p.text(c.name), "allreduce");
    EXPECT_EQ(p.text(c.dtype), "Float");
    EXPECT_EQ(p.text(c.group_ranks), "[0, 1]");
    EXPECT_EQ(c.group_size, 2);
    EXPECT_GT(c.in_elements, 0);
  }
  EXPECT_EQ(collectives, 25U);
}

TEST(KinetoFiles, ShapesAreKeptInOneSpelling) {
  const Profile p = import_or_fail(testing::test_data("h200/gemm_aligned.json.gz"));
  EXPECT_TRUE(p.provenance.shapes_recorded);
  ASSERT_EQ(p.op_args.size(), 1U);  // twelve calls with equal arguments
  EXPECT_EQ(p.text(p.op_args[0].dims), "[[4096,4096],[4096,4096]]");
  EXPECT_EQ(p.text(p.op_args[0].types), R"(["c10::Half","c10::Half"])");
  EXPECT_EQ(p.text(p.op_args[0].strides), "[[4096,1],[4096,1]]");
}

TEST(KinetoFiles, GraphLaunchesShareOneCall) {
  const Profile p = import_or_fail(testing::test_data("h200/launch_bound_graphed.json.gz"));
  std::map<std::uint32_t, int> by_call;
  for (const model::SpanId launch : p.work.launch) ++by_call[launch.row];
  EXPECT_EQ(by_call.size(), 8U);
  for (const auto& [call, kernels] : by_call) {
    EXPECT_EQ(kernels, 240);
    EXPECT_EQ(p.span_name(model::SpanId(call)), "cudaGraphLaunch");
  }
}

TEST(KinetoFiles, ThreadsAndStreamsHaveNames) {
  const Profile p = import_or_fail(testing::test_data("h200/transformer_healthy.json.gz"));
  std::vector<std::string> names;
  for (const model::Track& track : p.tracks) names.emplace_back(p.text(track.name));
  EXPECT_NE(std::find(names.begin(), names.end(), "thread 515 (pt_autograd_0)"), names.end());
  EXPECT_EQ(p.text(p.processes[0].name), "python3");
}

// hipExtModuleLaunchKernel counts its grid in work-items, the other two calls in blocks.
TEST(KinetoFiles, GridsOfHipKernelsAreInBlocks) {
  ROOFLAB_CASE(path, "public/tracelens/mi300_bert.json.gz");
  const Profile p = import_or_fail(path);
  std::map<std::string, std::array<std::int32_t, 3>> first_grid;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.kind[i] != WorkKind::kKernel) continue;
    ASSERT_TRUE(p.work.config[i].valid());
    first_grid.try_emplace(std::string(p.span_name(p.work.launch[i])),
                           p.launch_configs[p.work.config[i].row].grid);
  }
  using Grid = std::array<std::int32_t, 3>;
  EXPECT_EQ(first_grid["hipExtModuleLaunchKernel"], (Grid{288, 1, 1}));  // 73728 / 256
  EXPECT_EQ(first_grid["hipLaunchKernel"], (Grid{141, 1, 1}));
  EXPECT_EQ(first_grid["hipModuleLaunchKernel"], (Grid{2, 8, 1}));
  // Work runs on device 2, the file describes device 0 of the same model.
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.devices[0].index, 2);
  EXPECT_EQ(p.text(p.devices[0].name), "AMD Instinct MI300X VF");
  EXPECT_EQ(p.devices[0].vendor, model::Vendor::kAmd);
  EXPECT_EQ(p.hygiene.count("device_index_mismatch"), 1);
  // The copy's record says device to device, the call that asked for it device to host.
  EXPECT_EQ(p.hygiene.count("copy_direction_from_call"), 1);
}

// ROCm before 5.7 writes the correlation as "External id", and the geometry on the call alone.
TEST(KinetoFiles, OldHipFilesJoinByExternalId) {
  ROOFLAB_CASE(path, "public/tracelens/unit/gemm_03_compute_misaligned.json.gz");
  const Profile p = import_or_fail(path);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    ASSERT_TRUE(p.work.launch[i].valid());
    EXPECT_EQ(p.span_name(p.work.launch[i]), "hipExtModuleLaunchKernel");
    EXPECT_FALSE(p.work.op[i].valid());
    const model::LaunchConfig& c = p.launch_configs[p.work.config[i].row];
    EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{17, 37, 1}));  // 4352 / 256
    EXPECT_EQ(c.block, (std::array<std::int32_t, 3>{256, 1, 1}));
  }
}

}  // namespace
}  // namespace rooflab::importers
