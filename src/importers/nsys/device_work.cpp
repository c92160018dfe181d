// SPDX-License-Identifier: Apache-2.0
// Kernels, copies, sets and graph launches recorded as a whole: one row of device work each.
#include <algorithm>
#include <limits>

#include "importers/nsys/reader.h"

namespace rooflab::importers::nsys {
namespace {

using model::WorkKind;

std::int32_t narrow(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

// The names of one kind of row, by what the row says about them: each is made once.
class Names {
 public:
  template <class Make>
  StringId of(std::int64_t key, Make make) {
    const auto [it, added] = names_.try_emplace(key);
    if (added) it->second = make();
    return it->second;
  }

 private:
  std::unordered_map<std::int64_t, StringId> names_;
};

}  // namespace

model::TrackId Reader::stream(Query& rows, std::size_t device, std::size_t context,
                              std::size_t stream, std::size_t process) {
  const auto global_pid = rows.integer(process);
  const std::int64_t key = global_pid ? process_key(*global_pid) : -1;
  const std::int64_t index = device_index(key, rows.integer_or(device, 0));
  context_device_.emplace(std::pair{key, rows.integer_or(context, -1)}, index);
  return builder_.stream_track(index, rows.integer_or(stream, -1), key);
}

void Reader::add_work(const Times& times, model::WorkRow row) {
  row.start = times.start;
  row.duration = times.length();
  last_time_ = std::max(last_time_, times.end);
  builder_.add(row);
}

void Reader::read_kernels() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
  enum : std::size_t {
    kDevice = 2,
    kContext,
    kStream,
    kCorrelation,
    kProcess,
    kDemangled,
    kShort,
    kMangled,
    kText,
    kRegisters,
    kGridX,
    kGridY,
    kGridZ,
    kBlockX,
    kBlockY,
    kBlockZ,
    kStatic,
    kDynamic,
    kGraphNode
  };
  Query rows(db_, kTable,
             {"start",
              "end",
              "deviceId",
              "contextId",
              "streamId",
              "correlationId",
              "globalPid",
              "demangledName",
              "shortName",
              "mangledName",
              "name",
              "registersPerThread",
              "gridX",
              "gridY",
              "gridZ",
              "blockX",
              "blockY",
              "blockZ",
              "staticSharedMemory",
              "dynamicSharedMemory",
              "graphNodeId"},
             tally_);
  if (!usable(rows, kTable, true)) return;
  const auto name_of = [&]() -> StringId {
    for (const std::size_t column : {kDemangled, kMangled, kShort}) {
      if (const auto id = rows.integer(column); id && strings_.has(*id))
        return strings_.intern(*id);
    }
    // Files that other programs derive bring the name itself.
    if (rows.has(kText)) return strings_.intern(rows.text(kText));
    tally_.add(Note::kMissingString);
    return builder_.intern(kNameMissing);
  };
  while (rows.next()) {
    Times times;
    if (!times_of(rows, true, times)) continue;
    model::WorkRow row;
    row.track = stream(rows, kDevice, kContext, kStream, kProcess);
    row.name = name_of();
    row.correlation = rows.integer_or(kCorrelation, -1);
    const std::int64_t node = rows.integer_or(kGraphNode, 0);
    row.graph_node = node == 0 ? -1 : node;
    model::LaunchConfig config;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      config.grid[axis] = narrow(rows.integer_or(kGridX + axis, -1));
      config.block[axis] = narrow(rows.integer_or(kBlockX + axis, -1));
    }
    config.registers = narrow(rows.integer_or(kRegisters, -1));
    const auto fixed = rows.integer(kStatic);
    const auto dynamic = rows.integer(kDynamic);
    if (fixed || dynamic) {
      config.shared_bytes = narrow(saturating_add(fixed.value_or(0), dynamic.value_or(0)));
    }
    row.config = builder_.launch_config(config);
    add_work(times, row);
  }
  check_end(rows, kTable, true);
}

void Reader::read_copies() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
  enum : std::size_t {
    kDevice = 2,
    kContext,
    kStream,
    kCorrelation,
    kProcess,
    kBytes,
    kKind,
    kSource,
    kTarget,
    kGraphNode
  };
  Query rows(db_, kTable,
             {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
              "bytes", "copyKind", "srcKind", "dstKind", "graphNodeId"},
             tally_);
  if (!usable(rows, kTable, true)) return;
  Names names;
  while (rows.next()) {
    Times times;
    if (!times_of(rows, true, times)) continue;
    model::WorkRow row;
    row.kind = WorkKind::kCopy;
    row.track = stream(rows, kDevice, kContext, kStream, kProcess);
    row.correlation = rows.integer_or(kCorrelation, -1);
    const std::int64_t node = rows.integer_or(kGraphNode, 0);
    row.graph_node = node == 0 ? -1 : node;
    row.bytes = std::max<std::int64_t>(-1, rows.integer_or(kBytes, -1));
    const CopyKind kind = kinds_.copy(rows.integer_or(kKind, 0));
    if (const auto source = rows.integer(kSource)) row.source_memory = kinds_.memory(*source);
    if (const auto target = rows.integer(kTarget)) row.target_memory = kinds_.memory(*target);
    row.direction = kind.direction;
    if (kind.direction == model::CopyDirection::kUnknown) {
      row.direction = direction_between(row.source_memory, row.target_memory);
    }
    if (kind.migration) row.source_memory = row.target_memory = model::MemoryKind::kManaged;
    const auto key = static_cast<std::int64_t>(row.direction) * 256 +
                     static_cast<std::int64_t>(row.source_memory) * 16 +
                     static_cast<std::int64_t>(row.target_memory);
    row.name = names.of(key, [&] {
      return builder_.intern(copy_name(row.direction, row.source_memory, row.target_memory));
    });
    add_work(times, row);
  }
  check_end(rows, kTable, true);
}

void Reader::read_sets() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMSET";
  enum : std::size_t {
    kDevice = 2,
    kContext,
    kStream,
    kCorrelation,
    kProcess,
    kBytes,
    kTarget,
    kGraphNode
  };
  Query rows(db_, kTable,
             {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
              "bytes", "memKind", "graphNodeId"},
             tally_);
  if (!usable(rows, kTable, true)) return;
  while (rows.next()) {
    Times times;
    if (!times_of(rows, true, times)) continue;
    model::WorkRow row;
    row.kind = WorkKind::kMemset;
    row.track = stream(rows, kDevice, kContext, kStream, kProcess);
    row.correlation = rows.integer_or(kCorrelation, -1);
    const std::int64_t node = rows.integer_or(kGraphNode, 0);
    row.graph_node = node == 0 ? -1 : node;
    row.bytes = std::max<std::int64_t>(-1, rows.integer_or(kBytes, -1));
    if (const auto target = rows.integer(kTarget)) row.target_memory = kinds_.memory(*target);
    row.name = builder_.intern(set_name(row.target_memory));
    add_work(times, row);
  }
  check_end(rows, kTable, true);
}

// With --cuda-graph-trace=graph, the tool's default, a launched graph is one record and its kernels
// have none: leaving it out would show a busy device as idle.
void Reader::read_graphs() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
  enum : std::size_t { kDevice = 2, kContext, kStream, kCorrelation, kProcess, kGraph };
  Query rows(db_, kTable,
             {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
              "graphId"},
             tally_);
  if (!usable(rows, kTable, true)) return;
  Names names;
  while (rows.next()) {
    Times times;
    if (!times_of(rows, true, times)) continue;
    model::WorkRow row;
    row.track = stream(rows, kDevice, kContext, kStream, kProcess);
    row.correlation = rows.integer_or(kCorrelation, -1);
    const std::int64_t graph = rows.integer_or(kGraph, 0);
    row.name =
        names.of(graph, [&] { return builder_.intern("CUDA graph " + std::to_string(graph)); });
    tally_.add(Note::kGraphAsOne);
    add_work(times, row);
  }
  check_end(rows, kTable, true);
}

}  // namespace rooflab::importers::nsys
