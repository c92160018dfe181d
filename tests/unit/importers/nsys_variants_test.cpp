// SPDX-License-Identifier: Apache-2.0
// What each table of an Nsight Systems export becomes, and what becomes of tables, columns and
// values that are missing, odd or hostile. The databases are made here.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "importers/nsys/kinds.h"
#include "importers/nsys/range_name.h"
#include "support/nsys_database.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::Claim;
using model::CopyDirection;
using model::MemoryKind;
using model::Profile;
using model::SpanKind;
using model::WorkKind;
using testing::count_spans;
using testing::count_work;
using testing::NsysDatabase;

Profile import_capture(const std::string& more = {}) {
  NsysDatabase db;
  db.run(testing::kSmallCapture + more);
  Result<Profile> p = testing::import_database(db.bytes());
  if (!p) {
    ADD_FAILURE() << p.error().message;
    return {};
  }
  return std::move(*p);
}

std::size_t span_named(const Profile& p, std::string_view name) {
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (p.text(p.spans.name[i]) == name) return i;
  }
  ADD_FAILURE() << "no span " << name;
  return 0;
}

std::size_t work_at(const Profile& p, std::int64_t start) {
  const auto it = std::find(p.work.start.begin(), p.work.start.end(), start);
  EXPECT_NE(it, p.work.start.end()) << start;
  return static_cast<std::size_t>(it - p.work.start.begin());
}

std::string launch_name(const Profile& p, std::size_t work) {
  const model::SpanId launch = p.work.launch[work];
  return launch.valid() ? std::string(p.span_name(launch)) : "none";
}

TEST(Nsys, DeviceWork) {
  const Profile p = import_capture();
  ASSERT_EQ(p.work.size(), 6U);
  const std::size_t kernel = work_at(p, 1100);
  EXPECT_EQ(p.text(p.work.name[kernel]), "gemm(float*)");
  EXPECT_EQ(p.work.duration[kernel], 200);
  EXPECT_EQ(launch_name(p, kernel), "cudaLaunchKernel");
  const model::LaunchConfig& c = p.launch_configs[p.work.config[kernel].row];
  EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{8, 2, 1}));
  EXPECT_EQ(c.block, (std::array<std::int32_t, 3>{128, 1, 1}));
  EXPECT_EQ(c.registers, 32);
  EXPECT_EQ(c.shared_bytes, 3072);
  EXPECT_EQ(p.work.graph_node[kernel], -1);
  EXPECT_EQ(p.work.graph_node[work_at(p, 1400)], 42);
  EXPECT_EQ(launch_name(p, work_at(p, 1400)), "cuLaunchKernelEx");

  const std::size_t up = work_at(p, 1000);
  EXPECT_EQ(p.work.direction[up], CopyDirection::kHostToDevice);
  EXPECT_EQ(p.work.source_memory[up], MemoryKind::kPageable);
  EXPECT_EQ(p.work.target_memory[up], MemoryKind::kDevice);
  EXPECT_EQ(p.text(p.work.name[up]), "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(p.work.bytes[up], 4096);
  EXPECT_EQ(p.work.target_memory[work_at(p, 1310)], MemoryKind::kPinned);
  const std::size_t migrated = work_at(p, 1500);
  EXPECT_EQ(p.work.source_memory[migrated], MemoryKind::kManaged);
  EXPECT_EQ(p.work.direction[migrated], CopyDirection::kHostToDevice);
  EXPECT_EQ(launch_name(p, migrated), "none");
  EXPECT_EQ(count_work(p, WorkKind::kMemset), 1U);
  EXPECT_EQ(p.hygiene.count("unlinked_work"), 1);
}

TEST(Nsys, HostActivity) {
  const Profile p = import_capture();
  EXPECT_EQ(count_spans(p, SpanKind::kRuntimeCall), 5U);
  EXPECT_EQ(count_spans(p, SpanKind::kDriverCall), 1U);
  EXPECT_EQ(count_spans(p, SpanKind::kSync), 2U);
  EXPECT_EQ(count_spans(p, SpanKind::kOverhead), 1U);
  EXPECT_EQ(p.spans.kind[span_named(p, "Command Buffer Full")], SpanKind::kOther);
  EXPECT_EQ(count_spans(p, SpanKind::kOsCall), 2U);
  EXPECT_EQ(p.spans.duration[span_named(p, "cudaStreamSynchronize")], 470);
  // A wait's deviceId is the process's current device; its context tells the stream's.
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.tracks[p.spans.track[span_named(p, "Stream Sync")].row].stream, 7);
  EXPECT_EQ(p.tracks[p.spans.track[span_named(p, "Context Sync")].row].stream, -1);
  const std::size_t off = span_named(p, "off CPU");
  EXPECT_EQ(p.spans.kind[off], SpanKind::kOffCpu);
  EXPECT_EQ(p.spans.start[off], 110);
  EXPECT_EQ(p.spans.duration[off], 480);
  EXPECT_EQ(count_spans(p, SpanKind::kOffCpu), 1U) << "threads that did nothing are left out";
}

TEST(Nsys, Ranges) {
  const Profile p = import_capture();
  EXPECT_EQ(count_spans(p, SpanKind::kOp), 1U);
  EXPECT_EQ(count_spans(p, SpanKind::kUserRange), 4U);
  const std::size_t op = span_named(p, "aten::mm");
  EXPECT_EQ(p.text(p.op_args[p.spans.args[op].row].dims), "[[2,3],[3,4]]");
  EXPECT_EQ(p.spans.kind[span_named(p, "step")], SpanKind::kUserRange);
  EXPECT_EQ(p.spans.duration[span_named(p, "NCCL:ncclAllReduce")], 12);
  EXPECT_EQ(p.spans.duration[span_named(p, "request 7")], 310);
  EXPECT_EQ(p.spans.duration[span_named(p, "still open")], 25) << "up to the last event";
  EXPECT_EQ(p.hygiene.count("open_range"), 1);
  ASSERT_EQ(p.instants.size(), 1U);
  EXPECT_EQ(p.text(p.instants.name[0]), "a mark");
  EXPECT_TRUE(p.provenance.host_ops_recorded);
  EXPECT_TRUE(p.provenance.shapes_recorded);
}

TEST(Nsys, SamplesAndTarget) {
  const Profile p = import_capture();
  ASSERT_EQ(p.samples.size(), 2U);
  const model::Stack& leaf = p.stacks[p.samples.stack[0].row];
  EXPECT_EQ(p.text(leaf.frame), "parse_json");
  EXPECT_EQ(p.text(leaf.module), "train");
  ASSERT_TRUE(leaf.caller.valid());
  EXPECT_EQ(p.text(p.stacks[leaf.caller.row].frame), "main");
  EXPECT_EQ(p.samples.stack[1], leaf.caller) << "equal stacks are one";
  ASSERT_EQ(p.processes.size(), 1U);
  EXPECT_EQ(p.processes[0].pid, 100);
  EXPECT_EQ(p.text(p.processes[0].name), "train");
  std::vector<std::string> names;
  for (const model::Thread& thread : p.threads) names.emplace_back(p.text(thread.name));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"trainer", "worker"}));
  EXPECT_EQ(p.text(p.devices[0].name), "NVIDIA H200") << "not the display adapter of that number";
  EXPECT_EQ(p.devices[0].multiprocessors, 132);
  EXPECT_EQ(p.devices[0].max_threads_per_multiprocessor, 2048);
  EXPECT_EQ(p.provenance.epoch_ns, 1700000000000000000);
  EXPECT_EQ(p.provenance.tool_version, "2025.1.1");
  EXPECT_EQ(p.hygiene.count("unread_tables"), 1) << "GPU_METRICS";
  for (const auto& [key, value] : p.provenance.metadata) EXPECT_NE(value, "someone") << key;
}

TEST(Nsys, GraphsRecordedAsOneAreWork) {
  const Profile p = import_capture(R"sql(
    CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, graphId INT,
      contextId INT, streamId INT, correlationId INT, globalPid INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES
      (1600,1700,0,9,1,7,16,281476654432256);)sql");
  EXPECT_EQ(p.work.size(), 7U);
  EXPECT_EQ(p.text(p.work.name[work_at(p, 1600)]), "CUDA graph 9");
  EXPECT_EQ(p.hygiene.count("graph_as_one"), 1);
}

TEST(Nsys, EnumerationsOfTheFileCount) {
  const Profile p = import_capture(R"sql(
    CREATE TABLE ENUM_CUDA_MEM_KIND (id INT, name TEXT, label TEXT);
    INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0,'CUDA_MEMOPR_MEMORY_KIND_PINNED','Pinned'),
      (1,'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE','Pageable'),
      (2,'CUDA_MEMOPR_MEMORY_KIND_DEVICE','Device');)sql");
  EXPECT_EQ(p.work.source_memory[work_at(p, 1000)], MemoryKind::kPinned);
}

TEST(Nsys, ProcessesKeepTheirCorrelationsAndDevices) {
  const Profile p = import_capture(R"sql(
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (800,810,0,281478332153957,11,2,0,NULL);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1105,1205,0,1,NULL,7,11,281478332153856,
      4,5,NULL,32,8,2,1,128,1,1,0,0,NULL);
    CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INT, cudaId INT, pid INT);
    INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1,0,100),(3,0,200);)sql");
  ASSERT_EQ(p.processes.size(), 2U);
  EXPECT_EQ(launch_name(p, work_at(p, 1100)), "cudaLaunchKernel");
  EXPECT_EQ(launch_name(p, work_at(p, 1105)), "cudaMemcpyAsync");
  EXPECT_EQ(p.devices[p.device_of(work_at(p, 1100)).row].index, 1);
  EXPECT_EQ(p.devices[p.device_of(work_at(p, 1105)).row].index, 3);
}

TEST(Nsys, OddValuesAreCounted) {
  const Profile p = import_capture(R"sql(
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId) VALUES
      ('soon', 5, 7, 1), (NULL, 5, 7, 1), (2000, 1900, 7, 1),
      (9223372036854775807, -9223372036854775808, 7, 1), (-9223372036854775807, 99, x'00ff', 1);
    INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId) VALUES
      (1, 2, 59, 281476654432356, 777);
    INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, text) VALUES
      (1, 2, 59, 281476654432356, CAST(x'61ff62' AS TEXT));
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, copyKind, srcKind) VALUES (1, 2, 99, 98);)sql");
  EXPECT_EQ(p.hygiene.count("dropped_work_no_time"), 2);
  EXPECT_TRUE(p.hygiene.forbids(Claim::kCoverage));
  EXPECT_EQ(p.hygiene.count("wrong_type"), 2);
  EXPECT_EQ(p.hygiene.count("negative_duration"), 2);
  EXPECT_GE(p.hygiene.count("time_too_large"), 2);
  EXPECT_EQ(p.hygiene.count("invalid_utf8"), 1);
  EXPECT_EQ(p.hygiene.count("missing_string"), 4) << "three kernels, one range";
  EXPECT_EQ(p.hygiene.count("unknown_enumeration"), 2);
}

// The smallest exports that other programs write have a few columns only.
TEST(Nsys, FewColumnsSuffice) {
  NsysDatabase db;
  db.run(R"sql(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, name TEXT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 1, 'k');)sql");
  const Result<Profile> p = testing::import_database(db.bytes());
  ASSERT_TRUE(p.has_value());
  ASSERT_EQ(p->work.size(), 1U);
  EXPECT_EQ(p->text(p->work.name[0]), "k");
  EXPECT_EQ(p->devices[0].index, 1);
  EXPECT_EQ(p->hygiene.count("device_unnamed"), 1);
}

TEST(Nsys, TablesWithoutTimesAreCounted) {
  NsysDatabase db;
  db.run(R"sql(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (begin INT, stop INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20);)sql");
  const Result<Profile> p = testing::import_database(db.bytes());
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->hygiene.count("unusable_work_table"), 1);
  EXPECT_TRUE(p->hygiene.forbids(Claim::kCoverage));
}

TEST(Nsys, EmptyTablesAndNothingTraced) {
  NsysDatabase db;
  db.run(R"sql(
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT);
    CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT);
    INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'x', 5);)sql");
  const Result<Profile> p = testing::import_database(db.bytes());
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->hygiene.count("no_device_activity"), 1);
  EXPECT_FALSE(p->provenance.device_activity_recorded);
}

// A view or a virtual table in a table's place is not opened: it could run anything.
TEST(Nsys, ViewsAreNotRead) {
  NsysDatabase db;
  db.run(R"sql(
    CREATE TABLE NVTX_EVENTS (start INT, end INT);
    CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(x) AS
      (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS start, x AS end FROM n;)sql");
  const Result<Profile> p = testing::import_database(db.bytes());
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(p->work.size(), 0U);
}

TEST(Nsys, OtherDatabasesAreRefused) {
  NsysDatabase db;
  db.run("CREATE TABLE songs (title TEXT);");
  const Result<Profile> p = testing::import_database(db.bytes());
  ASSERT_FALSE(p.has_value());
  EXPECT_NE(p.error().hint.find("nsys export"), std::string::npos);
}

TEST(Nsys, CallNames) {
  EXPECT_EQ(nsys::call_name("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
  EXPECT_EQ(nsys::call_name("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
  EXPECT_EQ(nsys::call_name("cudaStreamGetCaptureInfo_v2_v11030"), "cudaStreamGetCaptureInfo_v2");
  EXPECT_EQ(nsys::call_name("cuMemAlloc_v2"), "cuMemAlloc_v2");
  EXPECT_EQ(nsys::call_name("_v3020"), "");
}

TEST(Nsys, RangeNames) {
  const auto parsed = [](std::string_view text) { return nsys::parse_range_name(text); };
  EXPECT_EQ(parsed("aten::mm, op_id = 5").name, "aten::mm");
  EXPECT_TRUE(parsed("aten::mm, op_id = 5").is_operator);
  EXPECT_EQ(parsed("f, seq = 1, op_id = 5, sizes = [[1, 2]], input_op_ids = [(3,0)]").sizes,
            "[[1, 2]]");
  EXPECT_TRUE(parsed("MmBackward0, seq = 3").is_operator);
  EXPECT_TRUE(parsed("FlashAttnFunc, op_id = 7").is_operator) << "an autograd function's class";
  EXPECT_FALSE(parsed("FlashAttnFunc").is_operator) << "a range that no operator made";
  EXPECT_FALSE(parsed("FSDP::pre_forward (blocks.0), op_id = 7").is_operator);
  EXPECT_FALSE(parsed("load_batch, op_id = 7").is_operator);
  EXPECT_FALSE(parsed("ProfilerStep#3, op_id = 7").is_operator);
  EXPECT_EQ(parsed("ProfilerStep#3, op_id = 7").name, "ProfilerStep#3");
  EXPECT_EQ(parsed("epoch 3, batch 4").name, "epoch 3, batch 4");
  EXPECT_EQ(parsed("x, op_id = ").name, "x, op_id = ");
  EXPECT_EQ(parsed("x, sizes = [[1").name, "x, sizes = [[1");
  EXPECT_EQ(nsys::compact_sizes("[[1, 2], []]"), "[[1,2],[]]");
  EXPECT_EQ(nsys::compact_sizes("[[1, \"a\"]]"), "");
}

}  // namespace
}  // namespace rooflab::importers
