// SPDX-License-Identifier: Apache-2.0
// rocprofv3's CSV tables and JSON: hand-made files of every table, the tool's own examples and a
// recording of a training run on an MI350X through ROOFLAB_CASES.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "support/cases.h"
#include "support/mutate.h"
#include "support/profiles.h"

namespace rooflab::importers {

Importer importer_rocprofv3_csv();
Importer importer_rocprofv3_json();
Importer importer_rocprof_compute();

namespace {

using model::CopyDirection;
using model::Profile;
using model::SpanKind;
using model::WorkKind;
using ::testing::HasSubstr;
using testing::import_or_fail;
using testing::import_with;

const std::string kKernels =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\","
    "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
    "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\","
    "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
    "\"KERNEL_DISPATCH\",\"Agent 2\",1,0,7,2,9,\"void f<int, 2>(int*)\",12,2000,2600,512,0,32,4,16,"
    "256,1,1,1000,3,1\n"
    "\"KERNEL_DISPATCH\",\"Agent 2\",1,0,7,1,8,\"say \"\"hi\"\".kd\",11,1000,2100,0,0,8,0,16,"
    "64,4,1,64,4,1\n";

const std::string kCalls =
    "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\","
    "\"End_Timestamp\"\n"
    "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",5,7,11,900,950\n"
    "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",5,7,12,960,990\n"
    "\"HSA_CORE_API\",\"hsa_signal_store\",5,7,13,970,980\n"
    "\"MARKER_CORE_API\",\"step\",5,7,14,800,1200\n"
    "\"MARKER_CORE_API\",\"now\",5,7,15,810,810\n"
    "\"RCCL_API\",\"ncclAllReduce\",5,7,16,820,830\n";

std::map<std::string, double> metrics_of(const Profile& p, std::size_t launch) {
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < p.metrics.size(); ++i) {
    if (p.metrics.launch[i].row == launch)
      out[std::string(p.text(p.metrics.metric[i]))] = p.metrics.value[i];
  }
  return out;
}

Profile csv(const std::string& text) {
  auto p = import_with(importer_rocprofv3_csv(), text);
  if (!p) ADD_FAILURE() << p.error().message;
  return p ? std::move(*p) : Profile();
}

TEST(Rocprofv3Csv, WorkItemsBecomeBlocksAndRowsAreSorted) {
  const Profile p = csv(kKernels);
  ASSERT_EQ(p.work.size(), 2U);
  EXPECT_EQ(p.text(p.work.name[0]), "say \"hi\"");
  EXPECT_EQ(p.text(p.work.name[1]), "void f<int, 2>(int*)");
  EXPECT_EQ(p.work.start[0], 1000);
  EXPECT_EQ(p.work.duration[0], 1100);
  const model::LaunchConfig& c = p.launch_configs[p.work.config[1].row];
  EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{4, 3, 1}));  // 1000 work-items are 3.9 blocks
  EXPECT_EQ(c.block, (std::array<std::int32_t, 3>{256, 1, 1}));
  EXPECT_EQ(c.registers, 36);
  EXPECT_EQ(c.shared_bytes, 512);
  EXPECT_EQ(p.devices[p.device_of(0).row].index, 2);
  EXPECT_EQ(p.devices[0].vendor, model::Vendor::kAmd);
  EXPECT_EQ(p.tracks[p.work.track[0].row].stream, 1);
  EXPECT_EQ(p.hygiene.count("out_of_order"), 1);
  EXPECT_EQ(p.hygiene.count("stream_overlap"), 1);
  EXPECT_FALSE(p.hygiene.forbids(model::Claim::kCoverage));
  EXPECT_FALSE(p.hygiene.forbids(model::Claim::kTimes));
}

TEST(Rocprofv3Csv, CallsAreRuntimeDriverRangesAndInstants) {
  const Profile p = csv(kCalls);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kRuntimeCall), 2U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kDriverCall), 1U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kUserRange), 1U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kOp), 1U);
  EXPECT_EQ(p.instants.size(), 1U);
}

TEST(Rocprofv3Csv, BytesAndDirectionsOfCopies) {
  const Profile p =
      csv("Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,"
          "End_Timestamp,Bytes\r\n"
          "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,Agent 0,Agent 1,3,100,200,4096\r\n"
          "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_HOST,Agent 1,Agent 0,0,300,310,8\r\n"
          "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_DEVICE,Agent 1,Agent 2,0,400,410,8\r\n"
          "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_DEVICE,Agent 1,Agent 1,0,500,510,8\r\n");
  ASSERT_EQ(p.work.size(), 4U);
  EXPECT_EQ(testing::count_work(p, WorkKind::kCopy), 4U);
  EXPECT_EQ(p.work.bytes[0], 4096);
  EXPECT_EQ(p.work.correlation[0], 3);
  EXPECT_EQ(p.work.correlation[1], -1);
  std::map<CopyDirection, std::int64_t> device;
  for (std::size_t i = 0; i < 4; ++i)
    device[p.work.direction[i]] = p.devices[p.device_of(i).row].index;
  EXPECT_EQ(device, (std::map<CopyDirection, std::int64_t>{{CopyDirection::kHostToDevice, 1},
                                                           {CopyDirection::kDeviceToHost, 1},
                                                           {CopyDirection::kPeerToPeer, 2},
                                                           {CopyDirection::kDeviceToDevice, 1}}));
}

TEST(Rocprofv3Csv, DamageIsCounted) {
  const Profile cut = csv(kKernels.substr(0, kKernels.size() - 12));
  EXPECT_EQ(cut.work.size(), 1U);
  EXPECT_EQ(cut.hygiene.count("truncated_input"), 1);
  EXPECT_TRUE(cut.hygiene.forbids(model::Claim::kCoverage));
  std::string text = kKernels;
  text.replace(text.find("2600"), 4, "soon");
  const Profile bad = csv(text);
  EXPECT_EQ(bad.work.size(), 1U);
  EXPECT_EQ(bad.hygiene.count("unreadable_row"), 1);
  EXPECT_THAT(bad.hygiene.notes()[0].hint, HasSubstr("row 2"));
}

TEST(Rocprofv3Csv, RefusesTotalsWithWhatToReadInstead) {
  const std::string totals = "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n\"f\",1,2,2\n";
  const Importer importer = importer_rocprofv3_csv();
  EXPECT_LT(importer.sniff({totals, "x"}), 50);  // a directory goes on without it
  const auto p = import_with(importer, totals);
  ASSERT_FALSE(p);
  EXPECT_THAT(p.error().message, HasSubstr("totals"));
  EXPECT_THAT(p.error().hint, HasSubstr("kernel_trace"));
  EXPECT_EQ(importer.sniff({"Name,Value\n1,2\n", "x"}), 0);
}

TEST(Rocprofv3Csv, FilesWithOnePrefixAreOneRecording) {
  namespace fs = std::filesystem;
  const fs::path dir = fs::temp_directory_path() / "rooflab_rocprofv3";
  fs::create_directories(dir);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(dir / name) << text;
    return (dir / name).string();
  };
  const std::string a = write("5_kernel_trace.csv", kKernels);
  const std::string b = write("5_hip_api_trace.csv", kCalls);
  const std::string c = write("6_kernel_trace.csv", kKernels);
  const std::string d = write("kernel_trace.csv", kKernels);
  const std::vector<Input> inputs = group_inputs({a, c, b, d});
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs[0].name, (dir / "5").string());
  EXPECT_EQ(inputs[0].paths, (std::vector<std::string>{a, b}));
  EXPECT_EQ(inputs[1].name, c);
  EXPECT_EQ(inputs[2].name, d);
  fs::remove_all(dir);
}

// clang-format off
const std::string kJson = R"json({"rocprofiler-sdk-tool": [{
 "metadata": {"pid": 5},
 "agents": [{"id": {"handle": 70}, "type": 1, "node_id": 0, "logical_node_type_id": 0, "name": "cpu"},
  {"id": {"handle": 71}, "type": 2, "node_id": 1, "logical_node_type_id": 0, "cu_count": 304,
   "wave_front_size": 64, "lds_size_in_kb": 64, "max_waves_per_cu": 32, "name": "gfx942",
   "product_name": "AMD Instinct MI300X"}],
 "counters": [{"id": {"handle": 4}, "name": "SQ_WAVES"}],
 "strings": {"buffer_records": [{"kind": "NONE", "operations": []},
   {"kind": "HIP_RUNTIME_API", "operations": ["none", "hipLaunchKernel"]},
   {"kind": "MEMORY_COPY", "operations": ["none", "MEMORY_COPY_HOST_TO_DEVICE"]},
   {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA", "roctxRangePushA"]}],
  "marker_api": [{"key": 9, "value": "step \"1\""}]},
 "kernel_symbols": [null, {"kernel_id": 3, "kernel_name": "_Z1fv.kd",
   "formatted_kernel_name": "f()"}],
 "callback_records": {"counter_collection": [{"dispatch_data": {"dispatch_info": {"agent_id":
   {"handle": 71}, "kernel_id": 3, "dispatch_id": 6, "workgroup_size": {"x": 64, "y": 1, "z": 1},
   "grid_size": {"x": 128, "y": 1, "z": 1}}}, "records": [{"counter_id": {"handle": 4}, "value": 1.5},
   {"counter_id": {"handle": 4}, "value": 2}], "arch_vgpr_count": 8, "accum_vgpr_count": 8}]},
 "buffer_records": {
  "kernel_dispatch": [null, {"thread_id": 7, "correlation_id": {"internal": 8, "external": 0},
    "start_timestamp": 2000, "end_timestamp": 2500, "dispatch_info": {"agent_id": {"handle": 71},
    "queue_id": {"handle": 2}, "kernel_id": 3, "dispatch_id": 1, "group_segment_size": 16,
    "workgroup_size": {"x": 64, "y": 2, "z": 1}, "grid_size": {"x": 640, "y": 4, "z": 1}}}],
  "hip_api": [{"kind": 1, "operation": 1, "correlation_id": {"internal": 8}, "thread_id": 7,
    "start_timestamp": 1000, "end_timestamp": 1100}],
  "marker_api": [{"kind": 3, "operation": 1, "correlation_id": {"internal": 9}, "thread_id": 7,
    "start_timestamp": 900, "end_timestamp": 1200}],
  "memory_copy": [{"kind": 2, "operation": 1, "correlation_id": {"internal": 0},
    "start_timestamp": 3000, "end_timestamp": 3100, "src_agent_id": {"handle": 70},
    "dst_agent_id": {"handle": 71}, "bytes": 1024}]}}]})json";

// clang-format on
Profile json(const std::string& text) {
  auto p = import_with(importer_rocprofv3_json(), text);
  if (!p) ADD_FAILURE() << p.error().message;
  return p ? std::move(*p) : Profile();
}

TEST(Rocprofv3Json, EveryKindOfRecord) {
  const Profile p = json(kJson);
  ASSERT_EQ(p.work.size(), 2U);
  EXPECT_EQ(p.text(p.work.name[0]), "f()");
  ASSERT_TRUE(p.work.launch[0].valid());
  EXPECT_EQ(p.span_name(p.work.launch[0]), "hipLaunchKernel");
  const model::LaunchConfig& c = p.launch_configs[p.work.config[0].row];
  EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{10, 2, 1}));
  EXPECT_EQ(p.work.bytes[1], 1024);
  EXPECT_EQ(p.work.direction[1], CopyDirection::kHostToDevice);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kUserRange), 1U);
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.text(p.devices[0].name), "AMD Instinct MI300X");
  EXPECT_EQ(p.devices[0].index, 0);
  EXPECT_EQ(p.devices[0].multiprocessors, 304);
  EXPECT_EQ(p.devices[0].max_threads_per_multiprocessor, 2048);
  EXPECT_EQ(p.devices[0].shared_bytes_per_multiprocessor, 65536);
  ASSERT_EQ(p.measured.size(), 1U);
  EXPECT_EQ(p.measured.order[0], 6);
  EXPECT_EQ(metrics_of(p, 0), (std::map<std::string, double>{{"SQ_WAVES", 3.5}}));
}

TEST(Rocprofv3Json, ACutFileGivesWhatIsWhole) {
  const Profile p = json(kJson.substr(0, kJson.find("\"marker_api\": [{\"kind\"") + 30));
  EXPECT_EQ(p.work.size(), 1U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kRuntimeCall), 1U);
  EXPECT_EQ(p.hygiene.count("truncated_input"), 1);
  EXPECT_TRUE(p.hygiene.forbids(model::Claim::kCoverage));
}

TEST(Rocprofv3Json, OtherJsonIsNotTaken) {
  const Importer importer = importer_rocprofv3_json();
  EXPECT_GT(importer.sniff({kJson, "x"}), 95);
  EXPECT_EQ(importer.sniff({"{\"traceEvents\": []}", "x"}), 0);
  EXPECT_FALSE(import_with(importer, "{\"a\": 1}"));
}

TEST(Rocprofv3, MutantsAreReadOrRefused) {
  testing::expect_read_or_refused(importer_rocprofv3_csv(), kKernels, 200, "\",\n0-x");
  testing::expect_read_or_refused(importer_rocprofv3_csv(), kCalls, 200, "\",\n0-x");
  testing::expect_read_or_refused(importer_rocprofv3_json(), kJson, 400, "{}[]\",:0-en");
}

// ---- wide tables of counters

const std::string kWide =
    "Dispatch_ID,Kernel_Name,GPU_ID,PID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Arch_VGPR,"
    "Accum_VGPR,Wave_Size_1,TCC_EA0_RDREQ[0],TCC_EA0_RDREQ_sum,TCC_EA0_RDREQ_32B_sum,"
    "TCC_BUBBLE_sum,TCC_HIT_sum,TCC_MISS_sum,Start_Timestamp\n"
    "4,\"f(int, int) [clone .kd]\",2,77,1024,256,16,8,4,64,9,100,10,20,,5,8.1E+14\n";

TEST(RocprofCompute, CountersAndWhatFollowsFromThem) {
  const auto p = import_with(importer_rocprof_compute(), kWide);
  ASSERT_TRUE(p) << p.error().message;
  ASSERT_EQ(p->measured.size(), 1U);
  EXPECT_EQ(p->text(p->measured.name[0]), "f(int, int)");
  EXPECT_EQ(p->measured.order[0], 4);
  EXPECT_EQ(p->measured.process[0], 77);
  const model::LaunchConfig& c = p->launch_configs[p->measured.config[0].row];
  EXPECT_EQ(c.grid[0], 4);
  EXPECT_EQ(c.registers, 12);
  const auto metrics = metrics_of(*p, 0);
  EXPECT_EQ(metrics.at("dram_read_bytes"), 128 * 20 + 64 * (100 - 20 - 10) + 32 * 10);
  EXPECT_EQ(metrics.count("l2_hit_percent"), 0U);  // hits were not measured
  EXPECT_EQ(metrics.count("TCC_EA0_RDREQ[0]"), 0U);
  EXPECT_EQ(metrics.count("Wave_Size_1"), 0U);
  EXPECT_EQ(p->hygiene.count("unreadable_value"), 1);
  EXPECT_EQ(p->hygiene.count("lost_timestamps"), 1);
  EXPECT_EQ(p->hygiene.count("channel_counters"), 1);
  EXPECT_EQ(p->work.size(), 0U);
}

TEST(RocprofCompute, WithoutTheirLargeRequestsReadsOfGfx942AreUnknown) {
  std::string text = kWide;
  text.replace(text.find("TCC_BUBBLE_sum"), 14, "TCC_SOMETHING_");
  const auto p = import_with(importer_rocprof_compute(), text);
  ASSERT_TRUE(p);
  EXPECT_EQ(metrics_of(*p, 0).count("dram_read_bytes"), 0U);
}

TEST(RocprofCompute, MutantsAreReadOrRefused) {
  testing::expect_read_or_refused(importer_rocprof_compute(), kWide, 300, "\",\n0-x");
}

TEST(RocprofComputeCases, ACopyReadsAndWritesEightMebibytes) {
  for (const char* device : {"MI200", "MI300X"}) {
    ROOFLAB_CASE(path, "public/rocprof_compute/vcopy_" + std::string(device) + "/pmc_perf.csv");
    const Profile p = import_or_fail(path);
    ASSERT_EQ(p.measured.size(), 3U) << device;
    const auto metrics = metrics_of(p, 0);
    EXPECT_NEAR(metrics.at("dram_read_bytes"), 8 << 20, 0.002 * (8 << 20)) << device;
    EXPECT_EQ(metrics.at("dram_write_bytes"), 8 << 20) << device;
    EXPECT_EQ(metrics.at("SQ_WAVES"), 16384) << device;
    EXPECT_EQ(p.text(p.measured.name[0]), "vecCopy(double*, double*, double*, int, int)");
    const bool lost = std::string(device) == "MI300X";
    EXPECT_EQ(p.hygiene.count("lost_timestamps"), lost ? 3 : 0);
  }
}

// ---- real files

TEST(Rocprofv3Cases, TheToolsOwnExamples) {
  const auto read = [](const std::string& name) {
    return import_or_fail(testing::case_path("public/rocprofv3/" + name));
  };
  ROOFLAB_CASE(path, "public/rocprofv3/kernel_trace.csv");
  const Profile kernels = import_or_fail(path);
  ASSERT_EQ(kernels.work.size(), 7U);
  EXPECT_EQ(testing::sum_work(kernels, WorkKind::kKernel),
            48744 + 100895 + 103265 + 130526 + 133341 + 139119 + 139563);
  EXPECT_EQ(kernels.launch_configs[0].grid, (std::array<std::int32_t, 3>{16, 1024, 1}));
  const Profile copies = read("memory_copy_trace.csv");
  ASSERT_EQ(copies.work.size(), 2U);
  EXPECT_EQ(testing::sum_work(copies, WorkKind::kCopy), 563880 + 581800);
  EXPECT_EQ(testing::count_spans(read("hip_runtime_trace.csv"), SpanKind::kRuntimeCall), 8U);
  EXPECT_EQ(testing::count_spans(read("hip_compile_trace.csv"), SpanKind::kRuntimeCall), 4U);
  EXPECT_EQ(testing::count_spans(read("hsa_api_trace.csv"), SpanKind::kDriverCall), 10U);
  const Profile markers = read("marker_api_trace.csv");
  EXPECT_EQ(testing::count_spans(markers, SpanKind::kUserRange), 3U);
  EXPECT_EQ(markers.instants.size(), 2U);
  const Profile counters = read("counter_collection.csv");
  EXPECT_EQ(counters.work.size(), 0U);
  ASSERT_EQ(counters.measured.size(), 7U);
  EXPECT_EQ(metrics_of(counters, 0), (std::map<std::string, double>{{"SQ_WAVES", 16384}}));
  EXPECT_EQ(counters.launch_configs[counters.measured.config[0].row].grid[0], 16384);
  EXPECT_FALSE(import_file(testing::case_path("public/rocprofv3/hip_api_stats.csv")));
}

TEST(Rocprofv3Cases, ATrainingRunOnMi350x) {
  ROOFLAB_CASE(path, "public/rocprofv3/908_results.json.gz");
  const Profile p = import_or_fail(path);
  ASSERT_EQ(p.work.size(), 43915U);
  EXPECT_EQ(testing::sum_work(p, WorkKind::kKernel), 4441741378);
  std::int64_t first = p.work.start[0], last = 0;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    first = std::min(first, p.work.start[i]);
    last = std::max(last, p.work.end(i));
  }
  EXPECT_EQ(last - first, 15122023494);
  EXPECT_EQ(p.tracks.size(), 5U);  // queues
  EXPECT_EQ(p.hygiene.count("stream_overlap"), 1275);
  EXPECT_FALSE(p.hygiene.forbids(model::Claim::kTimes));
  EXPECT_FALSE(p.hygiene.forbids(model::Claim::kCoverage));
  EXPECT_EQ(p.text(p.devices[0].name), "AMD Instinct MI350X");
}

}  // namespace
}  // namespace rooflab::importers
