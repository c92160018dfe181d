// SPDX-License-Identifier: Apache-2.0
// One trace event as it stands in the file, before its category gives it a meaning.
//
// A field is valid only if its bit is in `seen`: the struct is not cleared between events, since
// clearing it would cost more than parsing a flow event.
#pragma once

#include <array>
#include <cstdint>

#include "importers/kineto/text.h"

namespace rooflab::importers::kineto {

enum class Field : std::uint8_t {
  kPhase,
  kCategory,
  kName,
  kPid,
  kTid,
  kTime,
  kDuration,
  kId,
  kArgs,
  // inside args
  kCorrelation,
  kExternalId,
  kDevice,
  kStream,
  kGrid,
  kBlock,
  kRegisters,
  kShared,
  kOccupancy,
  kBytes,
  kKind,
  kGraphNode,
  kDims,
  kTypes,
  kStrides,
  kConcrete,
  kCallStack,
  kCollective,
  kDtype,
  kGroupName,
  kGroupRanks,
  kGroupSize,
  kInElements,
  kOutElements,
  kAddress,
  kMemoryBytes,
  kTotalAllocated,
  kTotalReserved,
  kDeviceType,
  kDeviceId,
  kMetaName,
  kMetaLabels,
  kUnknown,
};

// A process or thread id: a number, or text that holds one ("stream 7", "25738"), or other text.
struct Identity {
  std::int64_t number = -1;
  Text text;             // as written, if it was a string
  bool numeric = false;  // `number` is meant
};

struct Event {
  std::uint64_t seen = 0;  // bits by Field
  [[nodiscard]] bool has(Field f) const { return (seen >> static_cast<unsigned>(f) & 1U) != 0; }
  [[nodiscard]] std::int64_t number_or(Field f, std::int64_t value, std::int64_t otherwise) const {
    return has(f) ? value : otherwise;
  }

  char phase = 0;
  bool time_is_text = false;
  bool time_limited = false;    // a time did not fit
  bool number_limited = false;  // another number did not fit
  std::uint8_t duplicates = 0;  // fields named again
  Text category, name;
  Identity pid, tid;
  std::int64_t time_ns = 0, duration_ns = 0;
  std::int64_t id = 0;

  std::int64_t correlation = 0, external_id = 0, device = 0, stream = 0, bytes = 0, graph_node = 0;
  std::int64_t registers = 0, shared = 0;
  float occupancy = 0;
  std::array<std::int32_t, 3> grid{}, block{};
  Text kind;
  Text dims, types, strides, concrete, call_stack;
  Text collective, dtype, group_name, group_ranks;
  std::int64_t group_size = 0, in_elements = 0, out_elements = 0;
  std::uint64_t address = 0;
  std::int64_t memory_bytes = 0, total_allocated = 0, total_reserved = 0;
  std::int64_t device_type = 0, device_id = 0;
  Text meta_name, meta_labels;
  Text args;  // the raw object
};

}  // namespace rooflab::importers::kineto
