// SPDX-License-Identifier: Apache-2.0
// Real exports of Nsight Systems 2022.1, 2024.5 and 2026.2 and one that another program wrote,
// against figures computed from them with plain SQL.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/cases.h"
#include "support/nsys_database.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using model::Profile;
using model::SpanKind;
using model::WorkKind;
using testing::count_spans;
using testing::count_work;
using testing::import_or_fail;
using testing::sum_work;

// Time in which at least one work of `device` runs (a union).
std::int64_t busy_ns(const Profile& p, std::int64_t device) {
  std::vector<std::pair<std::int64_t, std::int64_t>> work;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.devices[p.device_of(i).row].index == device) {
      work.emplace_back(p.work.start[i], p.work.end(i));
    }
  }
  std::sort(work.begin(), work.end());
  std::int64_t busy = 0;
  std::int64_t until = INT64_MIN;
  for (const auto& [start, end] : work) {
    busy += std::max<std::int64_t>(0, end - std::max(start, until));
    until = std::max(until, end);
  }
  return busy;
}

struct Copies {
  std::int64_t count = 0, ns = 0, bytes = 0;
};
Copies copies(const Profile& p, CopyDirection direction, MemoryKind source) {
  Copies out;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.direction[i] != direction || p.work.source_memory[i] != source) continue;
    ++out.count;
    out.ns += p.work.duration[i];
    out.bytes += p.work.bytes[i];
  }
  return out;
}

std::size_t unlinked(const Profile& p) {
  return static_cast<std::size_t>(std::count_if(p.work.launch.begin(), p.work.launch.end(),
                                                [](model::SpanId id) { return !id.valid(); }));
}

TEST(NsysFiles, Cloverleaf) {
  ROOFLAB_CASE(path, "public/nsys/cloverleaf.sqlite");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(count_work(p, WorkKind::kKernel), 1312U);
  EXPECT_EQ(sum_work(p, WorkKind::kKernel), 294404540);
  EXPECT_EQ(busy_ns(p, 0), 303795463);
  const Copies up = copies(p, CopyDirection::kHostToDevice, MemoryKind::kPageable);
  EXPECT_EQ(up.count, 254);
  EXPECT_EQ(up.ns, 9346285);
  EXPECT_EQ(up.bytes, 225065752);
  EXPECT_EQ(unlinked(p), 0U);
  EXPECT_EQ(count_spans(p, SpanKind::kRuntimeCall), 3047U);
  EXPECT_EQ(count_spans(p, SpanKind::kDriverCall), 1U);
  EXPECT_EQ(count_spans(p, SpanKind::kOsCall), 1828U);
  EXPECT_EQ(count_spans(p, SpanKind::kSync), 1312U);
  EXPECT_EQ(p.samples.size(), 1531U);
  EXPECT_EQ(p.provenance.epoch_ns, 1696392839587175550);
  EXPECT_EQ(p.provenance.tool_version, "2024.5.1.113");
  ASSERT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(p.text(p.devices[0].name), "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(p.devices[0].multiprocessors, 108);
  const auto train = std::find_if(p.processes.begin(), p.processes.end(), [&](const auto& process) {
    return p.text(process.name) == "cuda-cloverleaf";
  });
  ASSERT_NE(train, p.processes.end());
  EXPECT_EQ(train->pid, 1701896);
}

TEST(NsysFiles, ConcurrentKernels) {
  ROOFLAB_CASE(path, "public/nsys/con_kernel.sqlite");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(count_work(p, WorkKind::kKernel), 9U);
  EXPECT_EQ(sum_work(p, WorkKind::kKernel), 271711594);
  EXPECT_EQ(copies(p, CopyDirection::kHostToDevice, MemoryKind::kPinned).bytes, 40160000);
  EXPECT_EQ(copies(p, CopyDirection::kDeviceToHost, MemoryKind::kDevice).ns, 4364129);
  EXPECT_EQ(p.text(p.devices[0].name), "GeForce GTX 1060 with Max-Q Design");
  EXPECT_EQ(p.provenance.tool_version, "2022.1.1.61");
}

TEST(NsysFiles, TwoDevices) {
  ROOFLAB_CASE(path, "public/nsys/h100_2gpu_1s.sqlite");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(p.devices.size(), 2U);
  EXPECT_EQ(count_work(p, WorkKind::kKernel), 3442U);
  EXPECT_EQ(count_work(p, WorkKind::kCopy), 904U);
  EXPECT_EQ(count_work(p, WorkKind::kMemset), 22U);
  const Copies up = copies(p, CopyDirection::kHostToDevice, MemoryKind::kPinned);
  EXPECT_EQ(up.count, 446);
  EXPECT_EQ(up.bytes, 50950504448);
  EXPECT_EQ(up.ns, 1841627438);
  EXPECT_EQ(copies(p, CopyDirection::kHostToDevice, MemoryKind::kPageable).count, 4);
  EXPECT_TRUE(p.provenance.host_ops_recorded) << "operators stand in NVTX ranges (emit_nvtx)";
}

TEST(NsysFiles, TwoCapturesOfOneModel) {
  ROOFLAB_CASE(before_path, "public/nsys/mfu_2gpu_before.sqlite");
  ROOFLAB_CASE(after_path, "public/nsys/mfu_2gpu_after.sqlite");
  const Profile before = import_or_fail(before_path);
  const Profile after = import_or_fail(after_path);
  EXPECT_EQ(sum_work(before, WorkKind::kKernel), 535200650);
  EXPECT_EQ(sum_work(after, WorkKind::kKernel), 488835406);
}

TEST(NsysFiles, DerivedByAnotherProgram) {
  ROOFLAB_CASE(path, "public/nsys/healthy_1pct.sqlite");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(count_work(p, WorkKind::kKernel), 400U);
  EXPECT_EQ(unlinked(p), 0U);
  EXPECT_EQ(p.text(p.devices[0].name), "NVIDIA H100 80GB HBM3");
}

// ---- how a database comes in

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(NsysFiles, NamesThatAUriWouldTakeApart) {
  testing::NsysDatabase db;
  db.run(testing::kSmallCapture);
  const std::string path = written("a %41?mode=rwc#b.db", db.bytes());
  const Profile p = import_or_fail(path);
  EXPECT_EQ(p.provenance.importer, "nsys_sqlite");
  EXPECT_EQ(p.work.size(), 6U);
  std::remove(path.c_str());
}

// A report that only nsys reads: some bytes under its ending.
std::string closed_report() { return written("a -report.nsys-rep", std::string("\1\2\0\3", 4)); }

Error import_error(const std::string& path, const ImportOptions& options) {
  const Result<Profile> p = import_file(path, options);
  return p ? Error{ErrorCode::kUsage, "it was read", {}, {}} : p.error();
}

// Stands in for nsys: checks its command line and writes `database` where it is told to.
std::string program(const std::string& script) {
  const std::string path = written("nsys", "#!/bin/sh\n" + script);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(NsysFiles, AReportIsExportedByNsysAndRead) {
  testing::NsysDatabase db;
  db.run(testing::kSmallCapture);
  const std::string exported = written("exported", db.bytes());
  const std::string report = closed_report();
  const std::string where = written("where", "");
  ImportOptions options;
  options.nsys =
      program("[ \"$1 $2 $3 $6\" = 'export --type sqlite --output' ] && [ -f \"$8\" ] && cp '" +
              exported + "' \"$7\" && echo \"$7\" >'" + where + "'\n");
  const Result<Profile> p = import_file(report, options);
  ASSERT_TRUE(p.has_value()) << p.error().message;
  EXPECT_EQ(p->work.size(), 6U);
  EXPECT_EQ(p->provenance.input, report);
  std::string database;
  std::getline(std::ifstream(where), database);
  EXPECT_FALSE(database.empty());
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(database).parent_path()))
      << "nothing is left behind";
}

TEST(NsysFiles, AReportThatNsysRefusesIsRefusedInItsWords) {
  ImportOptions options;
  options.nsys = program("echo starting; echo 'the report is newer than this nsys' >&2; exit 1\n");
  const Error error = import_error(closed_report(), options);
  EXPECT_NE(error.message.find("the report is newer than this nsys"), std::string::npos);
}

TEST(NsysFiles, WithoutNsysTheErrorSaysHowToExport) {
  const Error error = import_error(closed_report(), {});
  EXPECT_NE(error.hint.find("nsys export --type sqlite"), std::string::npos);
}

TEST(NsysFiles, TextUnderAReportsEndingIsNotTakenForOne) {
  const Error error = import_error(written("text.nsys-rep", "hello"), {});
  EXPECT_NE(error.message.find("format is not known"), std::string::npos);
}

TEST(NsysFiles, StdinIsRefusedWithAHint) {
  const auto db = nsys::Database::open_file("-");
  ASSERT_FALSE(db.has_value());
  EXPECT_EQ(db.error().hint, "name the file");
}

TEST(NsysFiles, CompressedOnesAreRefusedWithAHint) {
  const std::string path = written("not.sqlite", "\x1f\x8b compressed, say");
  const auto db = nsys::Database::open_file(path);
  ASSERT_FALSE(db.has_value());
  EXPECT_NE(db.error().hint.find("decompress"), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace rooflab::importers
