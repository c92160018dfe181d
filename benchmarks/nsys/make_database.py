#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a database like one of Nsight Systems' exports, as large as asked for.

A training loop as torch.autograd.profiler.emit_nvtx records it: steps of 1000 kernels, each kernel
launched by one runtime call inside nested operator ranges whose texts carry an id and shapes, so that
no two texts are alike. Columns and schema are those of schema 3.25 (nsys 2026.2). Deterministic.

    make_database.py --kernels 2000000 --ranges 15000000 large.sqlite      # 3 GB
"""
import argparse
import os
import sqlite3

PID = 4242
GLOBAL_PID = (1 << 48) + (PID << 24)
GLOBAL_TID = GLOBAL_PID + PID
KERNELS_A_STEP = 1000
HOST_NS = 12_000  # of the host for one kernel
DEVICE_NS = 13_000  # of the device: the loop is bound by it

NAMES = ["aten::linear", "aten::addmm", "aten::layer_norm", "aten::native_layer_norm", "aten::gelu",
         "aten::transpose", "aten::view", "aten::add", "aten::mul", "aten::scaled_dot_product_attention"]
SHAPES = ["[[16, 1024, 4096], [4096, 4096], [4096]]", "[[16384, 4096], [4096, 16384], []]",
          "[[16, 1024, 16384]]", "[[16, 32, 1024, 128], [16, 32, 1024, 128], [16, 32, 1024, 128]]"]
KERNELS = ["void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align8>(Params)",
           "void at::native::vectorized_elementwise_kernel<4, at::native::GeluFunctor, std::array<char*, 2ul>>(int)",
           "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>(Flash_fwd_params)",
           "void layer_norm_kernel<float, __nv_bfloat16>(int, float, __nv_bfloat16 const*)"]

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER, contextId INTEGER, greenContextId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
  mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER,
  localMemoryTotal INTEGER, gridId INTEGER, sharedMemoryExecuted INTEGER, graphNodeId INTEGER,
  sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,
  eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER,
  returnValue INTEGER, callchainId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
  rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER,
  endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER, int64Value INTEGER,
  doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, jsonTextId INTEGER,
  jsonText TEXT, binaryData TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, totalMemory INTEGER, smCount INTEGER,
  computeMajor INTEGER, computeMinor INTEGER);
"""


def kernels(count):
    for i in range(count):
        start = 50_000 + i * DEVICE_NS
        k = i % len(KERNELS)
        yield (start, start + DEVICE_NS - 400, 0, 1, 0, 7, i + 1, GLOBAL_PID, 10 + k, 10 + k, 10 + k,
               1, 1, 64, 512 + k, 1, 1, 256, 1, 1, 0, 49152, 0, 250871808, i + 1, 32768, None, 0)


def calls(count):
    for i in range(count):
        start = i * HOST_NS + 4_000
        yield (start, start + 3_000, 0, GLOBAL_TID, i + 1, 1, 0, None)


def ranges(kernel_count, count):
    """Per step one range; per kernel a chain of nested operators that shares out the rest."""
    steps = (kernel_count + KERNELS_A_STEP - 1) // KERNELS_A_STEP
    left = count - steps
    each, more = divmod(left, kernel_count)
    nothing = (None,) * 9
    for step in range(steps):
        first = step * KERNELS_A_STEP
        last = min(kernel_count, first + KERNELS_A_STEP)
        yield (first * HOST_NS, last * HOST_NS - 1, 59, None, None, None, f"train_step {step}", GLOBAL_TID,
               None, None, 0) + nothing
        for i in range(first, last):
            depth = each + (1 if i < more else 0)
            start = i * HOST_NS + 10
            for d in range(depth):
                op = i * 8 + d
                text = (f"{NAMES[(i + d) % len(NAMES)]}, op_id = {op}, sizes = {SHAPES[(i + d) % len(SHAPES)]}, "
                        f"input_op_ids = [({op - 1},0), ({op - 2},0), ({op - 3},1)]")
                yield (start + d * 100, start + HOST_NS - 100 - d * 100, 59, None, None, None, text,
                       GLOBAL_TID, None, None, 0) + nothing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output")
    parser.add_argument("--kernels", type=int, default=2_000_000)
    parser.add_argument("--ranges", type=int, default=15_000_000)
    args = parser.parse_args()
    if os.path.exists(args.output):
        os.remove(args.output)
    db = sqlite3.connect(args.output)
    db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=4096;" + SCHEMA)
    strings = [(1, "cudaLaunchKernel_v7000")] + [(10 + i, name) for i, name in enumerate(KERNELS)]
    for table, rows in (("StringIds", strings),
                        ("TARGET_INFO_SESSION_START_TIME", [(1_790_000_000_000_000_000,)]),
                        ("META_DATA_EXPORT", [("EXPORT_PRODUCT_VERSION", "2026.2.1"), ("EXPORT_SCHEMA_VERSION", "3.25.0")]),
                        ("PROCESSES", [(GLOBAL_PID, PID, "python3")]),
                        ("TARGET_INFO_GPU", [(0, "NVIDIA H200", 150_000_000_000, 132, 9, 0)]),
                        ("CUPTI_ACTIVITY_KIND_KERNEL", kernels(args.kernels)),
                        ("CUPTI_ACTIVITY_KIND_RUNTIME", calls(args.kernels)),
                        ("NVTX_EVENTS", ranges(args.kernels, args.ranges))):
        width = len(db.execute(f"PRAGMA table_info({table})").fetchall())
        db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * width)})", rows)
        db.commit()
    db.close()
    print(f"{args.output}: {os.path.getsize(args.output) / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
