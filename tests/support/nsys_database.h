// SPDX-License-Identifier: Apache-2.0
// Small Nsight Systems databases made in memory, so that a test says what is in them.
//
//   NsysDatabase db;
//   db.run(kSmallCapture);
//   const Result<model::Profile> p = import_database(db.bytes());
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <string_view>

#include "importers/nsys/reader.h"

namespace rooflab::testing {

class NsysDatabase {
 public:
  NsysDatabase() { sqlite3_open(":memory:", &db_); }
  ~NsysDatabase() { sqlite3_close(db_); }
  NsysDatabase(const NsysDatabase&) = delete;
  NsysDatabase& operator=(const NsysDatabase&) = delete;

  void run(const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
      ADD_FAILURE() << (message == nullptr ? "?" : message) << " in " << sql;
    }
    sqlite3_free(message);
  }
  [[nodiscard]] std::string bytes() const {
    sqlite3_int64 size = 0;
    unsigned char* data = sqlite3_serialize(db_, "main", &size, 0);
    std::string out(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    sqlite3_free(data);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

inline Result<model::Profile> import_database(std::string_view bytes) {
  Result<importers::nsys::Database> db = importers::nsys::Database::open_bytes(bytes, "test");
  if (!db) return tl::unexpected<Error>(db.error());
  return importers::nsys::read_database(std::move(*db), "test");
}

// Process 100 of machine 1 with threads 100 and 101: one launch of each kind of work on device 0.
// A globalTid is (1 << 48) + (100 << 24) + tid.
inline const std::string kSmallCapture = R"sql(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'cudaMemcpyAsync_v3020'),
  (3,'cuLaunchKernelEx'),(4,'gemm(float*)'),(5,'gemm'),(6,'cudaStreamSynchronize_ptsz_v7000'),
  (7,'step'),(8,'nanosleep'),(9,'read'),(10,'main'),(11,'/opt/app/train'),(12,'parse_json'),
  (13,'CUPTI: Buffer flush'),(14,'worker'),(15,'NCCL'),(16,'ncclAllReduce'),
  (17,'cudaMemsetAsync_v3020'),(18,'Command Buffer Full');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT,
  greenContextId INT, streamId INT, correlationId INT, globalPid INT, demangledName INT,
  shortName INT, mangledName INT, registersPerThread INT, gridX INT, gridY INT, gridZ INT,
  blockX INT, blockY INT, blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT,
  graphNodeId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (1100,1300,0,1,NULL,7,11,281476654432256,4,5,NULL,32,8,2,1,128,1,1,1024,2048,NULL),
  (1400,1450,0,1,NULL,7,14,281476654432256,4,5,NULL,32,8,2,1,128,1,1,0,0,42);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, contextId INT,
  streamId INT, correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT,
  dstKind INT, graphNodeId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
  (1000,1090,0,1,7,10,281476654432256,4096,1,0,2,NULL),
  (1310,1390,0,1,8,13,281476654432256,8192,2,2,1,NULL),
  (1500,1510,0,1,8,NULL,281476654432256,65536,11,NULL,NULL,NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, end INT, deviceId INT, contextId INT,
  streamId INT, correlationId INT, globalPid INT, value INT, bytes INT, graphNodeId INT,
  memKind INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1460,1470,0,1,7,15,281476654432256,0,512,NULL,2);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT,
  correlationId INT, nameId INT, returnValue INT, callchainId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (900,950,0,281476654432356,10,2,0,NULL),(960,980,0,281476654432356,11,1,0,NULL),
  (985,995,0,281476654432356,13,2,0,NULL),(996,999,1,281476654432356,14,3,0,NULL),
  (1000,1005,0,281476654432356,15,17,0,NULL),(1010,1480,0,281476654432356,16,6,0,NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId INT,
  contextId INT, streamId INT, correlationId INT, globalPid INT, syncType INT, eventId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
  (1015,1475,5,1,7,16,281476654432256,3,4294967295),
  (1016,1474,5,1,4294967295,17,281476654432256,4,4294967295);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INT, end INT, globalTid INT, nameId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES
  (905,906,281476654432356,13),(961,970,281476654432356,18);
CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, rangeId INT, text TEXT,
  globalTid INT, endGlobalTid INT, textId INT, domainId INT);
INSERT INTO NVTX_EVENTS VALUES
  (0,NULL,75,NULL,'NCCL',281476654432356,NULL,NULL,3),
  (890,1490,59,NULL,NULL,281476654432356,NULL,7,0),
  (955,982,59,NULL,'aten::mm, seq = 4, op_id = 12, sizes = [[2, 3], [3, 4]]',281476654432356,NULL,NULL,0),
  (984,996,59,NULL,NULL,281476654432356,NULL,16,3),
  (890,1200,60,1,'request 7',281476654432356,281476654432357,NULL,0),
  (1485,NULL,59,NULL,'still open',281476654432356,NULL,NULL,0),
  (1001,NULL,34,NULL,'a mark',281476654432356,NULL,NULL,0),
  (0,NULL,39,NULL,'trainer',281476654432356,NULL,NULL,0);
CREATE TABLE OSRT_API (start INT, end INT, eventClass INT, globalTid INT, nameId INT);
INSERT INTO OSRT_API VALUES (100,600,27,281476654432356,8),(700,750,27,281476654432357,9),
  (50,50,31,281476654432256,9);
CREATE TABLE SCHED_EVENTS (start INT, cpu INT, isSchedIn INT, globalTid INT);
INSERT INTO SCHED_EVENTS VALUES (90,0,1,281476654432356),(110,0,0,281476654432356),
  (590,0,1,281476654432356),(600,0,0,999);
CREATE TABLE COMPOSITE_EVENTS (id INT, start INT, cpu INT, threadState INT, globalTid INT,
  cpuCycles INT);
INSERT INTO COMPOSITE_EVENTS VALUES (1,710,0,1,281476654432357,1),(2,720,0,1,281476654432357,1);
CREATE TABLE SAMPLING_CALLCHAINS (id INT, symbol INT, module INT, kernelMode INT,
  unresolved INT, stackDepth INT);
INSERT INTO SAMPLING_CALLCHAINS VALUES (1,12,11,0,0,0),(1,10,11,0,0,1),(2,10,11,0,0,0);
CREATE TABLE PROCESSES (globalPid INT, pid INT, name TEXT);
INSERT INTO PROCESSES VALUES (281476654432256,100,'train'),(281474993487872,1,'systemd');
CREATE TABLE ThreadNames (nameId INT, priority INT, globalTid INT);
INSERT INTO ThreadNames VALUES (14,20,281476654432357);
CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT, cuDevice INT, totalMemory INT, smCount INT,
  threadsPerWarp INT, maxWarpsPerSm INT, maxShmemPerSm INT, maxRegistersPerSm INT,
  computeMajor INT, computeMinor INT);
INSERT INTO TARGET_INFO_GPU VALUES (0,'Display',0,0,0,0,0,0,0,0,0),
  (1,'NVIDIA H200',0,150000000000,132,32,64,233472,65536,9,0);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION','2025.1.1'),
  ('EXPORT_SCHEMA_VERSION','3.17.2'),('EXPORT_USER','someone');
CREATE TABLE GPU_METRICS (timestamp INT, value INT);
INSERT INTO GPU_METRICS VALUES (1,2);
)sql";

}  // namespace rooflab::testing
