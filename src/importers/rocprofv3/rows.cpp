// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/rows.h"

#include <algorithm>
#include <limits>

namespace rooflab::importers::rocprofv3 {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using model::SpanKind;

// No queue has this number (they count from 1): where copies stand, which name no queue.
constexpr std::int64_t kCopyStream = 1'000'000;
// Many records share one name: without a limit a small file could ask for much work.
constexpr std::size_t kMaxName = 16384;
// Above any hardware (32 to 64 waves of 32 or 64 threads): a larger number is damage.
constexpr std::int64_t kMaxWaves = 4096;

std::int64_t difference(std::int64_t end, std::int64_t start) {
  std::int64_t out = 0;
  if (!__builtin_sub_overflow(end, start, &out)) return out;
  return end > start ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
}

std::int32_t narrow(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

// Whole workgroups on one axis: the last one may be partly outside the grid.
std::int32_t blocks(std::int64_t items, std::int64_t workgroup) {
  if (items <= 0 || workgroup <= 0) return -1;
  return narrow((items - 1) / workgroup + 1);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

CopyDirection direction_of(const Copy& c) {
  if (contains(c.direction, "HOST_TO_DEVICE")) return CopyDirection::kHostToDevice;
  if (contains(c.direction, "DEVICE_TO_HOST")) return CopyDirection::kDeviceToHost;
  if (contains(c.direction, "HOST_TO_HOST")) return CopyDirection::kHostToHost;
  if (contains(c.direction, "DEVICE_TO_DEVICE")) {
    return c.between_devices ? CopyDirection::kPeerToPeer : CopyDirection::kDeviceToDevice;
  }
  return CopyDirection::kUnknown;
}

SpanKind kind_of(std::string_view domain) {
  if (domain.starts_with("HIP")) return SpanKind::kRuntimeCall;
  if (domain.starts_with("HSA")) return SpanKind::kDriverCall;
  if (domain.starts_with("MARKER") || domain.starts_with("ROCTX")) return SpanKind::kUserRange;
  if (domain.starts_with("RCCL")) return SpanKind::kOp;
  return SpanKind::kOther;
}

std::int64_t id_or_none(std::int64_t correlation) { return correlation > 0 ? correlation : -1; }

}  // namespace

std::string_view kernel_name(std::string_view name) {
  if (name.ends_with(".kd")) name.remove_suffix(3);
  return name.substr(0, kMaxName);
}

model::LaunchConfigId Rows::config(const Dispatch& d) {
  model::LaunchConfig config;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    config.grid[axis] = blocks(d.grid_items[axis], d.workgroup[axis]);
    config.block[axis] = d.workgroup[axis] > 0 ? narrow(d.workgroup[axis]) : -1;
  }
  // Both kinds come out of one register file since CDNA 2, and limit occupancy together.
  if (d.vector_registers >= 0) {
    config.registers = narrow(
        saturating_add(d.vector_registers, std::max(d.accumulation_registers, std::int64_t{0})));
  }
  config.shared_bytes = narrow(d.shared_bytes);
  return builder_.launch_config(config);
}

void Rows::add(const Dispatch& d) {
  model::WorkRow row;
  row.start = d.start;
  row.duration = difference(d.end, d.start);
  row.name = builder_.intern(kernel_name(d.kernel));
  row.track = builder_.stream_track(d.device, d.queue, d.pid);
  row.config = config(d);
  row.correlation = id_or_none(d.correlation);
  builder_.add(row);
}

void Rows::add(const Copy& c) {
  model::WorkRow row;
  row.start = c.start;
  row.duration = difference(c.end, c.start);
  row.name = builder_.intern(c.direction);
  row.track = builder_.stream_track(c.device, kCopyStream, c.pid);
  model::Track& track = builder_.profile().tracks[row.track.row];
  if (!track.name.valid()) track.name = builder_.intern("copies");
  row.kind = model::WorkKind::kCopy;
  row.direction = direction_of(c);
  if (row.direction == CopyDirection::kHostToDevice) row.target_memory = MemoryKind::kDevice;
  if (row.direction == CopyDirection::kDeviceToHost) row.source_memory = MemoryKind::kDevice;
  if (row.direction == CopyDirection::kDeviceToDevice ||
      row.direction == CopyDirection::kPeerToPeer) {
    row.source_memory = row.target_memory = MemoryKind::kDevice;
  }
  row.bytes = c.bytes;
  row.correlation = id_or_none(c.correlation);
  builder_.add(row);
}

void Rows::add(const Call& c) {
  const model::TrackId track = builder_.thread_track(c.pid, c.tid);
  const StringId name = builder_.intern(c.function.substr(0, kMaxName));
  const SpanKind kind = kind_of(c.domain);
  if (kind == SpanKind::kUserRange && c.start == c.end) {  // roctxMark
    builder_.add_instant(c.start, track, name);
    return;
  }
  model::SpanRow row;
  row.start = c.start;
  row.duration = difference(c.end, c.start);
  row.name = name;
  row.track = track;
  row.kind = kind;
  row.correlation = kind == SpanKind::kUserRange ? -1 : id_or_none(c.correlation);
  builder_.add(row);
}

void Rows::describe(std::int64_t index, const Agent& agent) {
  model::Device& device = builder_.profile().devices[builder_.device(index).row];
  device.name = builder_.intern(agent.product.empty() ? agent.name : agent.product);
  device.multiprocessors = narrow(agent.compute_units);
  device.warp_size = narrow(agent.wave_size);
  if (agent.shared_bytes > 0) device.shared_bytes_per_multiprocessor = agent.shared_bytes;
  if (agent.waves_per_unit > 0 && agent.wave_size > 0 && agent.waves_per_unit < kMaxWaves &&
      agent.wave_size < kMaxWaves)
    device.max_threads_per_multiprocessor = narrow(agent.waves_per_unit * agent.wave_size);
}

void Rows::finish() {
  model::Profile& p = builder_.profile();
  for (model::Device& device : p.devices) device.vendor = model::Vendor::kAmd;
  p.provenance.tool = "rocprofv3";
  p.provenance.device_activity_recorded = p.work.size() > 0;
  for (const SpanKind kind : p.spans.kind) {
    if (kind == SpanKind::kOp) p.provenance.host_ops_recorded = true;
  }
}

}  // namespace rooflab::importers::rocprofv3
