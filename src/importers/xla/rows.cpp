// SPDX-License-Identifier: Apache-2.0
#include "importers/xla/rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "importers/kineto/categories.h"

namespace rooflab::importers::xla {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using model::SpanKind;

// More registers than any accelerator gives a thread, more shared memory than it gives a block: a
// field that was never filled in (XLA on ROCm 6 writes what it finds in memory).
constexpr std::int64_t kMaxRegisters = 1024;
constexpr std::size_t kMaxDetails = 4096;  // real ones have about 100 characters
constexpr std::int64_t kMaxSharedBytes = std::int64_t{1} << 20U;

bool number(std::string_view text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "regs:168 grid:512,1,1" -> f("regs", "168"), f("grid", "512,1,1").
template <class F>
void each_detail(std::string_view details, F&& f) {
  details = details.substr(0, kMaxDetails);
  while (!details.empty()) {
    const std::size_t space = std::min(details.find_first_of(" \n"), details.size());
    const std::string_view word = details.substr(0, space);
    details.remove_prefix(std::min(space + 1, details.size()));
    const std::size_t colon = word.find(':');
    if (colon != std::string_view::npos) f(word.substr(0, colon), word.substr(colon + 1));
  }
}

void triple(std::string_view text, std::array<std::int32_t, 3>& out) {
  for (std::int32_t& axis : out) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::int64_t value = 0;
    if (number(text.substr(0, comma), value) && value > 0 &&
        value <= std::numeric_limits<std::int32_t>::max())
      axis = static_cast<std::int32_t>(value);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

MemoryKind memory_of(std::string_view word) {
  if (word == "pageable") return MemoryKind::kPageable;
  if (word == "pinned") return MemoryKind::kPinned;
  if (word == "device") return MemoryKind::kDevice;
  if (word == "managed" || word == "unified") return MemoryKind::kManaged;
  if (word == "array") return MemoryKind::kArray;
  return MemoryKind::kUnknown;
}

CopyDirection direction_of(std::string_view name, std::string_view line) {
  struct Word {
    std::string_view word;
    CopyDirection direction;
  };
  constexpr std::array kWords{
      Word{"HostToDevice", CopyDirection::kHostToDevice},
      Word{"DeviceToHost", CopyDirection::kDeviceToHost},
      Word{"DeviceToDevice", CopyDirection::kDeviceToDevice},
      Word{"H2D", CopyDirection::kHostToDevice},
      Word{"HtoD", CopyDirection::kHostToDevice},
      Word{"D2H", CopyDirection::kDeviceToHost},
      Word{"DtoH", CopyDirection::kDeviceToHost},
      Word{"D2D", CopyDirection::kDeviceToDevice},
      Word{"DtoD", CopyDirection::kDeviceToDevice},
      Word{"P2P", CopyDirection::kPeerToPeer},
      Word{"PtoP", CopyDirection::kPeerToPeer},
  };
  for (const std::string_view text : {name, line}) {
    for (const Word& word : kWords) {
      if (text.find(word.word) != std::string_view::npos) return word.direction;
    }
  }
  return CopyDirection::kUnknown;
}

void read_copy(std::string_view details, std::int64_t device, model::WorkRow& row) {
  std::int64_t target = device;
  each_detail(details, [&](std::string_view key, std::string_view value) {
    std::int64_t n = 0;
    if (key == "size" && number(value, n) && n >= 0) row.bytes = n;
    if (key == "dest" && number(value, n)) target = n;
    if (key == "kind_src") row.source_memory = memory_of(value);
    if (key == "kind_dst") row.target_memory = memory_of(value);
  });
  if (row.direction == CopyDirection::kDeviceToDevice && target != device)
    row.direction = CopyDirection::kPeerToPeer;
  const bool to_device = row.direction != CopyDirection::kDeviceToHost;
  const bool from_device = row.direction != CopyDirection::kHostToDevice;
  if (row.direction == CopyDirection::kUnknown) return;
  if (to_device && row.target_memory == MemoryKind::kUnknown)
    row.target_memory = MemoryKind::kDevice;
  if (from_device && row.source_memory == MemoryKind::kUnknown)
    row.source_memory = MemoryKind::kDevice;
}

}  // namespace

PlaneName plane_name(std::string_view name) {
  using Kind = PlaneName::Kind;
  if (name == "/host:CPU") return {Kind::kHost, -1};
  constexpr std::string_view kDevice = "/device:";
  if (!name.starts_with(kDevice)) return {};
  name.remove_prefix(kDevice.size());
  const std::size_t colon = name.find(':');
  std::int64_t index = 0;
  if (colon == std::string_view::npos || name.substr(0, colon) == "CUSTOM") return {};
  // "GPU:0", and "TPU:0 SparseCore 1" is a part of one.
  if (!number(name.substr(colon + 1), index) || index < 0) return {};
  return {Kind::kDevice, index};
}

LineName line_name(std::string_view name) {
  constexpr std::string_view kStream = "Stream #";
  if (name.starts_with(kStream)) {
    name.remove_prefix(kStream.size());
    std::int64_t stream = 0;
    number(name.substr(0, name.find_first_not_of("0123456789")), stream);
    return {LineKind::kStream, stream};
  }
  if (name == "XLA Ops") return {LineKind::kOps, 0};
  if (name == "Steps") return {LineKind::kSteps, 0};
  return {};
}

void Stats::take(std::string_view name, std::string_view text) {
  if (name == "kernel_details") kernel_details = text;
  if (name == "memcpy_details") memcpy_details = text;
  if (name == "memset_details") memset_details = text;
  if (name == "allocator_name") allocator = text;
  std::int64_t value = 0;
  if (number(text, value)) take(name, value);
}

void Stats::take(std::string_view name, std::int64_t value) {
  if (name == "correlation_id") correlation = value;
  if (name == "step_num") step = value;
  if (name == "allocation_bytes") allocation_bytes = value;
  if (name == "bytes_allocated") allocated_bytes = value;
  if (name == "bytes_reserved") reserved_bytes = value;
  if (name == "addr") address = static_cast<std::uint64_t>(value);
}

model::LaunchConfigId Rows::config(std::string_view details) {
  if (details.empty()) return {};
  model::LaunchConfig c;
  std::int64_t shared = -1;
  bool bad = false;
  each_detail(details, [&](std::string_view key, std::string_view value) {
    std::int64_t n = 0;
    if (key == "grid") triple(value, c.grid);
    if (key == "block") triple(value, c.block);
    if (key == "occ_pct") {
      float percent = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), percent);
      // 0 is what a recorder that does not know writes: work that ran had some occupancy.
      if (error == std::errc() && end != value.data() && percent > 0 && percent <= 100)
        c.occupancy_percent = percent;
    }
    if (!number(value, n)) return;
    if (key == "regs") {
      bad = bad || n > kMaxRegisters;
      c.registers = n >= 0 && n <= kMaxRegisters ? static_cast<std::int32_t>(n) : -1;
    }
    if (key == "static_shared" || key == "dynamic_shared" || key == "group_mem")
      shared = saturating_add(std::max(shared, std::int64_t{0}), n);
  });
  bad = bad || shared > kMaxSharedBytes;
  if (bad) {  // the numbers beside a field of garbage are no better
    ++implausible_;
    c.registers = -1;
  } else if (shared >= 0) {
    c.shared_bytes = static_cast<std::int32_t>(shared);
  }
  return builder_.launch_config(c);
}

void Rows::add_work(const Event& e, std::int64_t device, std::int64_t stream, std::int64_t pid,
                    std::string_view line) {
  model::WorkRow row;
  row.start = e.start;
  row.duration = e.duration;
  std::string_view name = e.name;
  if (name.ends_with(".kd")) name.remove_suffix(3);  // the linker's word for a kernel's descriptor
  row.name = builder_.intern(name);
  row.track = builder_.stream_track(device, stream, pid);
  model::Track& track = builder_.profile().tracks[row.track.row];
  if (!track.name.valid()) track.name = builder_.intern(line);
  row.correlation = e.stats.correlation > 0 ? e.stats.correlation : -1;
  const bool copy_name = name.starts_with("Memcpy") ||
                         (name.starts_with("Copy") && name.find("To") != std::string_view::npos);
  if (!e.stats.memset_details.empty() || name.starts_with("Memset")) {
    row.kind = model::WorkKind::kMemset;
    read_copy(e.stats.memset_details, device, row);
  } else if (!e.stats.memcpy_details.empty() || (copy_name && e.stats.kernel_details.empty() &&
                                                 line.find("Memcpy") != std::string_view::npos)) {
    row.kind = model::WorkKind::kCopy;
    row.direction = direction_of(name, line);
    read_copy(e.stats.memcpy_details, device, row);
  } else {
    row.config = config(e.stats.kernel_details);
  }
  builder_.add(row);
}

void Rows::add_allocation(const Event& e, model::TrackId track) {
  // "GPU_0_bfc": the device's number stands between.
  const std::string_view a = e.stats.allocator;
  std::int64_t device = -1;
  const bool on_device = a.starts_with("GPU_") || a.starts_with("gpu_");
  if (on_device) number(a.substr(4, a.find_first_not_of("0123456789", 4) - 4), device);
  const bool release = e.name == "MemoryDeallocation";
  const std::int64_t bytes = std::max(e.stats.allocation_bytes, std::int64_t{0});
  builder_.add_memory(
      e.start, track, on_device ? model::MemoryDevice::kDevice : model::MemoryDevice::kHost,
      static_cast<std::int32_t>(std::clamp<std::int64_t>(device, -1, 1 << 20)),
      release ? -bytes : bytes, e.stats.address, e.stats.allocated_bytes, e.stats.reserved_bytes);
  builder_.profile().provenance.memory_recorded = true;
}

void Rows::add_host(const Event& e, std::int64_t pid, std::int64_t tid) {
  const model::TrackId track = builder_.thread_track(pid, tid);
  if (e.stats.allocation_bytes >= 0 && e.duration == 0) {
    add_allocation(e, track);
    return;
  }
  model::SpanRow row;
  row.start = e.start;
  row.duration = e.duration;
  row.track = track;
  std::string_view name = e.name;
  if (name.starts_with('$')) {
    name.remove_prefix(1);
    row.kind = SpanKind::kPython;
  } else if (e.stats.step >= 0) {
    row.kind = SpanKind::kUserRange;
  } else if (e.stats.correlation > 0) {
    row.kind = SpanKind::kRuntimeCall;
    row.correlation = e.stats.correlation;
  } else {
    row.kind = SpanKind::kOp;
  }
  row.name = builder_.intern(name);
  builder_.add(row);
}

void Rows::add_device_range(const Event& e, std::string_view line) {
  model::SpanRow row;
  row.start = e.start;
  row.duration = e.duration;
  row.name = builder_.intern(e.name);
  row.track = builder_.other_track(line);
  row.kind = SpanKind::kDeviceRange;
  builder_.add(row);
}

void Rows::finish(const std::string& path) {
  model::Profile& p = builder_.profile();
  builder_.hygiene().add(
      "implausible_launch_details", path, implausible_,
      "registers or shared memory beyond any accelerator's: the recorder did not "
      "fill them in; they are taken as not recorded");
  model::Vendor vendor = model::Vendor::kUnknown;
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    const SpanKind kind = p.spans.kind[i];
    p.provenance.host_ops_recorded = p.provenance.host_ops_recorded || kind == SpanKind::kOp;
    p.provenance.stacks_recorded = p.provenance.stacks_recorded || kind == SpanKind::kPython;
    if (kind == SpanKind::kRuntimeCall && vendor == model::Vendor::kUnknown)
      vendor = kineto::vendor_of_call(p.text(p.spans.name[i]));
  }
  for (model::Device& device : p.devices) {
    if (device.vendor == model::Vendor::kUnknown) device.vendor = vendor;
  }
  p.provenance.device_activity_recorded = p.work.size() > 0;
  p.provenance.tool = "XLA profiler";
}

}  // namespace rooflab::importers::xla
