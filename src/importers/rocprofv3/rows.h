// SPDX-License-Identifier: Apache-2.0
// What rocprofv3 records, whether it wrote it as CSV or as JSON, and how it becomes rows of the
// model: work-items become blocks, agents become devices, queues become streams, HIP calls become
// runtime calls (launches by correlation id), HSA calls driver calls, roctx ranges user ranges.
//
// Times stay on the tool's clock (nanoseconds since the machine started, not tied to Unix time), so
// that the files of one recording fit together; provenance.epoch_ns is 0. Copies name no queue:
// they stand on a stream of their own, where overlaps are legal as on any queue.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/builder.h"

namespace rooflab::importers::rocprofv3 {

struct Dispatch {
  std::int64_t device = 0, queue = 0, pid = -1;
  std::int64_t correlation = 0;  // 0 = none
  std::int64_t start = 0, end = 0;
  std::string_view kernel;  // demangled or as the compiler named it
  std::array<std::int64_t, 3> grid_items{-1, -1, -1}, workgroup{-1, -1, -1};
  std::int64_t vector_registers = -1, accumulation_registers = -1, shared_bytes = -1;
};

struct Copy {
  std::string_view direction;  // MEMORY_COPY_HOST_TO_DEVICE
  std::int64_t device = 0;     // the accelerator it belongs to
  bool between_devices = false;
  std::int64_t pid = -1, correlation = 0;
  std::int64_t start = 0, end = 0, bytes = -1;
};

struct Call {
  std::string_view domain;    // HIP_RUNTIME_API, HSA_CORE_API, MARKER_CORE_API, RCCL_API …
  std::string_view function;  // of markers: the text
  std::int64_t pid = 0, tid = 0, correlation = 0;
  std::int64_t start = 0, end = 0;
};

struct Agent {
  std::string_view product;  // "AMD Instinct MI300X"; may be empty
  std::string_view name;     // "gfx942"
  std::int64_t compute_units = -1, wave_size = -1;
  std::int64_t shared_bytes = -1;  // of a compute unit
  std::int64_t waves_per_unit = -1;
};

class Rows {
 public:
  explicit Rows(model::Builder& builder) : builder_(builder) {}
  void add(const Dispatch& d);
  void add(const Copy& c);
  void add(const Call& c);
  // Geometry of a dispatch as the model has it.
  [[nodiscard]] model::LaunchConfigId config(const Dispatch& d);
  void describe(std::int64_t device, const Agent& agent);
  // Says who recorded what. Call when all rows are there.
  void finish();

 private:
  model::Builder& builder_;
};

// What the name of a kernel is without the linker's ".kd" (kernel descriptor).
[[nodiscard]] std::string_view kernel_name(std::string_view name);

}  // namespace rooflab::importers::rocprofv3
