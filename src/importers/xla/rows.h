// SPDX-License-Identifier: Apache-2.0
// What an XLA profile (JAX, TensorFlow) means, whether it stands in an XPlane or in the Chrome
// trace written beside it: events of a device's stream lines are device work, events of host
// threads are operators, steps, Python frames and launches.
//
// XLA's own annotations and the user's have no mark that tells them apart: both are operators. A
// step (StepTraceAnnotation: it has a number) is a user range, a name that begins with '$' a Python
// frame, an event with a correlation id the call that launched work. Lines that XLA derives from
// the streams ("XLA Ops", "XLA Modules", "Steps") repeat the same work and are no work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/builder.h"

namespace rooflab::importers::xla {

// What the plane's or process's name says it is.
struct PlaneName {
  enum class Kind : std::uint8_t { kDevice, kHost, kOther };
  Kind kind = Kind::kOther;
  std::int64_t device = -1;
};
[[nodiscard]] PlaneName plane_name(std::string_view name);  // "/device:GPU:7", "/host:CPU"

enum class LineKind : std::uint8_t { kStream, kOps, kSteps, kDerived };
struct LineName {
  LineKind kind = LineKind::kDerived;
  std::int64_t stream = 0;
};
[[nodiscard]] LineName line_name(std::string_view name);  // "Stream #14(Compute)", "XLA Ops"

// The values of an event that mean something here; those of one event only.
struct Stats {
  std::int64_t correlation = -1;
  std::int64_t step = -1;
  std::string_view kernel_details, memcpy_details, memset_details;
  std::int64_t allocation_bytes = -1, allocated_bytes = -1, reserved_bytes = -1;
  std::uint64_t address = 0;
  std::string_view allocator;  // "GPU_0_bfc"
  // Takes a value by its name; others are left alone.
  void take(std::string_view name, std::string_view text);
  void take(std::string_view name, std::int64_t number);
};

struct Event {
  std::string_view name;
  std::int64_t start = 0, duration = 0;  // ns
  Stats stats;
};

class Rows {
 public:
  explicit Rows(model::Builder& builder) : builder_(builder) {}
  void add_work(const Event& e, std::int64_t device, std::int64_t stream, std::int64_t pid,
                std::string_view line);
  void add_host(const Event& e, std::int64_t pid, std::int64_t tid);
  // A step as a device saw it: a range on a line of its own.
  void add_device_range(const Event& e, std::string_view line);
  void finish(const std::string& path);

 private:
  [[nodiscard]] model::LaunchConfigId config(std::string_view details);
  void add_allocation(const Event& e, model::TrackId track);

  model::Builder& builder_;
  std::int64_t implausible_ = 0;
};

}  // namespace rooflab::importers::xla
