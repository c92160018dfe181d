// SPDX-License-Identifier: Apache-2.0
// What every trace becomes: one Profile, int64 nanoseconds on one clock, columns with 32-bit
// handles.
//
// Importers convert units and names; nothing after them knows a format. Big tables are structs of
// equally long columns; a row is addressed by a typed handle (SpanId, WorkId ...), never by a
// pointer. After model::Builder::build spans are sorted by (track, start, longer first, input
// order) and device work by (track, start, input order), so that nesting can be read off by one
// pass. Times are relative to Provenance::epoch_ns.
//
//   for (std::size_t i = 0; i < p.spans.size(); ++i)
//     if (p.spans.kind[i] == SpanKind::kOp) use(p.strings.view(p.spans.name[i]), p.spans.start[i]);
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_table.h"
#include "base/units.h"
#include "model/hygiene.h"

namespace rooflab::model {

using ProcessId = Handle<struct ProcessTag>;
using ThreadId = Handle<struct ThreadTag>;
using DeviceId = Handle<struct DeviceTag>;
using TrackId = Handle<struct TrackTag>;
using SpanId = Handle<struct SpanTag>;
using WorkId = Handle<struct WorkTag>;
using ArgsId = Handle<struct ArgsTag>;
using LaunchConfigId = Handle<struct LaunchConfigTag>;
using CollectiveId = Handle<struct CollectiveTag>;
using StackId = Handle<struct StackTag>;
using MeasuredId = Handle<struct MeasuredTag>;

// No time is further from 0 and no duration longer (73 years): differences of any two ends then fit
// 64 bits, so analyses subtract without checks. Builder and validate hold every profile to it.
constexpr std::int64_t kTimeLimit = std::int64_t{1} << 61;

// ---- small tables: vectors of plain rows
// -------------------------------------------------------------------------

struct Process {
  std::int64_t pid = 0;
  StringId name, labels;
};

struct Thread {
  ProcessId process;
  std::int64_t tid = 0;
  StringId name;
};

// vendor-word: a device says who made it; nothing may be concluded from that
enum class Vendor : std::uint8_t { kUnknown, kNvidia, kAmd, kIntel, kMeta, kOther };

struct Device {
  std::int64_t index = 0;  // as the recorder numbers it
  StringId name;           // "NVIDIA H200"; empty when the file does not say
  Vendor vendor = Vendor::kUnknown;
  std::int32_t compute_major = -1, compute_minor = -1;
  std::int32_t multiprocessors = -1;  // SMs or compute units
  std::int32_t warp_size = -1, max_threads_per_multiprocessor = -1;
  std::int64_t memory_bytes = -1, shared_bytes_per_multiprocessor = -1,
               registers_per_multiprocessor = -1;
};

enum class TrackKind : std::uint8_t { kThread, kStream, kOther };

struct Track {
  TrackKind kind = TrackKind::kOther;
  ThreadId thread;           // kThread
  DeviceId device;           // kStream
  ProcessId process;         // the process that owns it, where known
  std::int64_t stream = -1;  // kStream: stream or queue number
  StringId name;
};

// ---- spans: what the host did
// --------------------------------------------------------------------------------------

enum class SpanKind : std::uint8_t {
  kOp,           // framework operator (aten::mm, autograd nodes, XLA ops on the host)
  kUserRange,    // record_function, NVTX, ProfilerStep
  kRuntimeCall,  // CUDA/HIP/… runtime API
  kDriverCall,   // driver API
  kSync,         // device-side wait records (cuda_sync): stream wait event, context sync …
  kPython,       // python frame
  kOverhead,     // the recorder's own work
  kDeviceRange,  // a user range projected on a stream (gpu_user_annotation): never device work
  kOther,
  kOsCall,  // a call into the operating system that took long enough to be recorded
  kOffCpu,  // the scheduler had taken the thread off its core
};

struct SpanTable {
  std::vector<std::int64_t> start, duration;  // ns
  std::vector<StringId> name;
  std::vector<TrackId> track;
  std::vector<SpanKind> kind;
  std::vector<ArgsId> args;               // kOp: shapes and types
  std::vector<std::int64_t> correlation;  // calls and syncs: the recorder's id, -1 = none
  [[nodiscard]] std::size_t size() const { return start.size(); }
  [[nodiscard]] std::int64_t end(std::size_t i) const {
    return saturating_add(start[i], duration[i]);
  }
};

// Arguments of an operator, shared by all calls with equal ones. The texts are the JSON the
// recorder wrote, for example dims "[[48,2048],[]]", types "[\"c10::Half\",\"Scalar\"]".
struct OpArgs {
  StringId dims, types, strides, concrete, call_stack;
  bool operator==(const OpArgs&) const = default;
};

// ---- device work
// ---------------------------------------------------------------------------------------------------

enum class WorkKind : std::uint8_t { kKernel, kCopy, kMemset };
enum class CopyDirection : std::uint8_t {
  kNone,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kPeerToPeer,
  kHostToHost,
  kUnknown
};
enum class MemoryKind : std::uint8_t { kUnknown, kPageable, kPinned, kDevice, kManaged, kArray };

// Launch geometry, shared by all launches with equal ones. Grid is in blocks (importers convert
// work-items).
struct LaunchConfig {
  std::array<std::int32_t, 3> grid{-1, -1, -1}, block{-1, -1, -1};
  std::int32_t registers = -1, shared_bytes = -1;
  float occupancy_percent = -1;  // the recorder's estimate
  bool operator==(const LaunchConfig&) const = default;
};

// What a collective kernel moved, shared by equal ones.
struct Collective {
  StringId name, dtype, group_name, group_ranks;
  std::int64_t in_elements = -1, out_elements = -1;
  std::int32_t group_size = -1;
  bool operator==(const Collective&) const = default;
};

struct WorkTable {
  std::vector<std::int64_t> start, duration;  // ns
  std::vector<StringId> name;
  std::vector<TrackId> track;  // a kStream track; its device and stream number stand there
  std::vector<WorkKind> kind;
  std::vector<CopyDirection> direction;                  // copies
  std::vector<MemoryKind> source_memory, target_memory;  // copies and sets
  std::vector<std::int64_t> bytes;                       // copies and sets, -1 = unknown
  std::vector<LaunchConfigId> config;                    // kernels
  std::vector<CollectiveId> collective;                  // collective kernels
  std::vector<std::int64_t> graph_node;                  // node id inside a graph launch, -1 = none
  std::vector<std::int64_t> correlation;                 // the recorder's id, -1 = none
  std::vector<SpanId>
      launch;  // the call that launched it, invalid = no record; many works may share one (graphs)
  std::vector<SpanId>
      op;  // the operator, only where it is known from an id and not from the launch's place
  [[nodiscard]] std::size_t size() const { return start.size(); }
  [[nodiscard]] std::int64_t end(std::size_t i) const {
    return saturating_add(start[i], duration[i]);
  }
};

// ---- the rest
// --------------------------------------------------------------------------------------------------------

struct ForwardBackward {
  SpanId forward, backward;
};

enum class MemoryDevice : std::uint8_t { kHost, kDevice };

struct MemoryEventTable {
  std::vector<std::int64_t> time;
  std::vector<TrackId> track;
  std::vector<MemoryDevice> device_type;
  std::vector<std::int32_t> device_index;
  std::vector<std::int64_t> bytes;  // > 0 allocation, < 0 release
  std::vector<std::uint64_t> address;
  std::vector<std::int64_t> total_allocated, total_reserved;  // -1 = not recorded
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

struct InstantTable {
  std::vector<std::int64_t> time;
  std::vector<TrackId> track;
  std::vector<StringId> name;
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

struct CounterTable {
  std::vector<std::int64_t> time;
  std::vector<TrackId> track;
  std::vector<StringId> name;
  std::vector<double> value;
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

// CPU samples: a stack is a frame and its caller.
struct Stack {
  StringId frame;     // function, demangled
  StackId caller;     // invalid: the outermost
  StringId module;    // binary or library, without folders where the format has them apart
  StringId location;  // "file:line" or "line 12", where debug lines are there
  bool operator==(const Stack&) const = default;
};
struct SampleTable {
  std::vector<std::int64_t> time;    // kNoTime: counted over the whole recording
  std::vector<TrackId> track;        // the thread
  std::vector<StackId> stack;        // of the innermost frame
  std::vector<StringId> event;       // what was counted: "cpu_time" (weight in ns), "cycles" …
  std::vector<std::int64_t> weight;  // of the event
  [[nodiscard]] std::size_t size() const { return time.size(); }
};
constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

// Launches whose counters were read while each ran alone, often at other clocks: counts and ratios
// hold for the same kernel in a trace; times do not and are never mixed with a trace's.
struct MeasuredTable {
  std::vector<StringId> name;  // demangled, as of device work
  std::vector<DeviceId> device;
  std::vector<LaunchConfigId> config;
  std::vector<std::int64_t> order;    // in its process, from 0
  std::vector<std::int64_t> process;  // pid, -1 = not recorded
  std::vector<WorkId> work;           // the launch of a trace that it was matched with
  [[nodiscard]] std::size_t size() const { return name.size(); }
};
// Values of measured launches, by launch. Metrics have the names and units of data/counters; what
// was not measured has no row.
struct MetricTable {
  std::vector<MeasuredId> launch;
  std::vector<StringId> metric;
  std::vector<double> value;
  [[nodiscard]] std::size_t size() const { return launch.size(); }
};

struct RankInfo {
  std::int64_t rank = -1, world_size = -1;  // -1 = the file does not say
  std::string backend;
};

struct Provenance {
  std::string input;     // as the user named it
  std::string importer;  // "kineto"
  std::string tool, tool_version;
  std::int64_t epoch_ns =
      0;  // what time 0 means: Unix ns, or 0 when the file's clock is not tied to one
  bool device_activity_recorded = false;
  bool shapes_recorded = false, stacks_recorded = false, memory_recorded = false,
       host_ops_recorded = false;
  std::vector<std::pair<std::string, std::string>> metadata;  // the file's own keys, as text
};

struct Profile {
  StringTable strings;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Device> devices;
  std::vector<Track> tracks;
  SpanTable spans;
  std::vector<OpArgs> op_args;
  WorkTable work;
  std::vector<LaunchConfig> launch_configs;
  std::vector<Collective> collectives;
  std::vector<ForwardBackward> forward_backward;
  MemoryEventTable memory_events;
  InstantTable instants;
  CounterTable counters;
  std::vector<Stack> stacks;
  SampleTable samples;
  MeasuredTable measured;
  MetricTable metrics;
  RankInfo rank;
  Provenance provenance;
  Hygiene hygiene;

  [[nodiscard]] std::string_view text(StringId id) const { return strings.view(id); }
  [[nodiscard]] std::string_view span_name(SpanId id) const { return text(spans.name[id.row]); }
  [[nodiscard]] DeviceId device_of(std::size_t work_row) const {
    return tracks[work.track[work_row].row].device;
  }
};

}  // namespace rooflab::model
