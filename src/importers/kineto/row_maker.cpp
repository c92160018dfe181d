// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/row_maker.h"

#include <algorithm>
#include <limits>
#include <string>

#include "importers/kineto/categories.h"
#include "importers/kineto/event_parser.h"
#include "importers/kineto/number.h"

namespace rooflab::importers::kineto {
namespace {

using model::SpanKind;
using model::Vendor;
using model::WorkKind;

std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  seed = (seed ^ value) * 0x9e3779b97f4a7c15ULL;
  return seed ^ (seed >> 29U);
}

std::int32_t narrow(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

model::TrackId track(ChunkRows& rows, LocalTrackKind kind, std::int64_t first,
                     std::int64_t second) {
  const LocalTrack row{kind, first, second, {}};
  const std::uint64_t hash =
      mix(mix(static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(first)),
          static_cast<std::uint64_t>(second));
  return model::TrackId(rows.tracks.find_or_add(row, hash));
}

model::TrackId named_track(ChunkRows& rows, StringId name) {
  const LocalTrack row{LocalTrackKind::kOther, 0, 0, name};
  return model::TrackId(rows.tracks.find_or_add(row, mix(77, name.row)));
}

// The track of a host event. Ids that are no numbers ("Spans", "PyTorch Profiler") name one.
model::TrackId host_track(const Event& e, ChunkRows& rows) {
  const bool no_tid = !e.has(Field::kTid);
  if (e.has(Field::kPid) && e.pid.numeric && (no_tid || e.tid.numeric)) {
    return track(rows, LocalTrackKind::kThread, e.pid.number, no_tid ? 0 : e.tid.number);
  }
  std::string name;
  const auto append = [&](const Identity& id) {
    if (id.numeric) {
      name += std::to_string(id.number);
    } else if (id.text.data != nullptr) {
      unescape(id.text.view(), name, rows.notes);
    }
  };
  if (e.has(Field::kPid)) append(e.pid);
  if (e.has(Field::kTid)) {
    if (!name.empty()) name += "/";
    append(e.tid);
  }
  return named_track(rows, rows.strings.intern(rows.strings.keep(std::move(name))));
}

// Device index and stream stand in the arguments; older and smaller files have them as pid and tid.
model::TrackId stream_track(const Event& e, ChunkRows& rows) {
  const std::int64_t device = e.has(Field::kDevice) ? e.device
                              : e.has(Field::kPid)  ? e.pid.number
                                                    : 0;
  const std::int64_t stream = e.has(Field::kStream) ? e.stream
                              : e.has(Field::kTid)  ? e.tid.number
                                                    : 0;
  return track(rows, LocalTrackKind::kStream, device, stream);
}

StringId text_or_none(const Event& e, Field f, const Text& text, ChunkRows& rows) {
  return e.has(f) ? rows.strings.intern(text, rows.notes) : StringId();
}

model::ArgsId op_args(const Event& e, ChunkRows& rows) {
  constexpr std::uint64_t kAny = (std::uint64_t{1} << static_cast<unsigned>(Field::kDims)) |
                                 (std::uint64_t{1} << static_cast<unsigned>(Field::kTypes)) |
                                 (std::uint64_t{1} << static_cast<unsigned>(Field::kStrides)) |
                                 (std::uint64_t{1} << static_cast<unsigned>(Field::kConcrete)) |
                                 (std::uint64_t{1} << static_cast<unsigned>(Field::kCallStack));
  if ((e.seen & kAny) == 0) return {};
  const model::OpArgs args{text_or_none(e, Field::kDims, e.dims, rows),
                           text_or_none(e, Field::kTypes, e.types, rows),
                           text_or_none(e, Field::kStrides, e.strides, rows),
                           text_or_none(e, Field::kConcrete, e.concrete, rows),
                           text_or_none(e, Field::kCallStack, e.call_stack, rows)};
  std::uint64_t hash = mix(args.dims.row, args.types.row);
  hash = mix(mix(hash, args.strides.row), mix(args.concrete.row, args.call_stack.row));
  return model::ArgsId(rows.args.find_or_add(args, hash));
}

bool has_config(const Event& e) {
  return e.has(Field::kGrid) || e.has(Field::kBlock) || e.has(Field::kRegisters) ||
         e.has(Field::kShared) || e.has(Field::kOccupancy);
}

model::LaunchConfig launch_config(const Event& e) {
  model::LaunchConfig config;
  if (e.has(Field::kGrid)) config.grid = e.grid;
  if (e.has(Field::kBlock)) config.block = e.block;
  if (e.has(Field::kRegisters)) config.registers = narrow(e.registers);
  if (e.has(Field::kShared)) config.shared_bytes = narrow(e.shared);
  if (e.has(Field::kOccupancy)) config.occupancy_percent = e.occupancy;
  return config;
}

model::LaunchConfigId local_config(const Event& e, ChunkRows& rows) {
  if (!has_config(e)) return {};
  const model::LaunchConfig c = launch_config(e);
  std::uint64_t hash = 0;
  for (const auto* triple : {&c.grid, &c.block}) {
    for (const std::int32_t v : *triple) hash = mix(hash, static_cast<std::uint32_t>(v));
  }
  hash = mix(hash, static_cast<std::uint32_t>(c.registers));
  hash = mix(hash, static_cast<std::uint32_t>(c.shared_bytes));
  return model::LaunchConfigId(rows.configs.find_or_add(c, hash));
}

model::CollectiveId collective(const Event& e, ChunkRows& rows) {
  if (!e.has(Field::kCollective)) return {};
  model::Collective c;
  c.name = text_or_none(e, Field::kCollective, e.collective, rows);
  c.dtype = text_or_none(e, Field::kDtype, e.dtype, rows);
  c.group_name = text_or_none(e, Field::kGroupName, e.group_name, rows);
  c.group_ranks = text_or_none(e, Field::kGroupRanks, e.group_ranks, rows);
  if (e.has(Field::kInElements)) c.in_elements = e.in_elements;
  if (e.has(Field::kOutElements)) c.out_elements = e.out_elements;
  if (e.has(Field::kGroupSize)) c.group_size = narrow(e.group_size);
  std::uint64_t hash = mix(mix(c.name.row, c.dtype.row), mix(c.group_name.row, c.group_ranks.row));
  hash = mix(hash, mix(static_cast<std::uint64_t>(c.in_elements),
                       static_cast<std::uint64_t>(c.out_elements)));
  return model::CollectiveId(rows.collectives.find_or_add(c, hash));
}

void note_vendor(std::int64_t device, Vendor vendor, ChunkRows& rows) {
  if (vendor == Vendor::kUnknown) return;
  const std::pair entry{device, vendor};
  if (std::find(rows.device_vendors.begin(), rows.device_vendors.end(), entry) ==
      rows.device_vendors.end()) {
    rows.device_vendors.push_back(entry);
  }
}

void add_work(const Event& e, const Category& category, ChunkRows& rows) {
  model::WorkRow row;
  row.start = e.time_ns;
  row.duration = e.number_or(Field::kDuration, e.duration_ns, 0);
  row.name = text_or_none(e, Field::kName, e.name, rows);
  row.track = stream_track(e, rows);
  row.kind = category.work;
  row.bytes = e.number_or(Field::kBytes, e.bytes, -1);
  row.graph_node = e.number_or(Field::kGraphNode, e.graph_node, -1);
  row.correlation = e.number_or(Field::kCorrelation, e.correlation, -1);
  row.external_id = e.number_or(Field::kExternalId, e.external_id, -1);
  const std::string_view name = rows.strings.texts().empty() || !row.name.valid()
                                    ? std::string_view()
                                    : rows.strings.texts()[row.name.row];
  switch (category.work) {
    case WorkKind::kKernel:
      row.config = local_config(e, rows);
      row.collective = collective(e, rows);
      break;
    case WorkKind::kCopy: {
      const CopyKind copy = copy_kind_of(name);
      row.direction = copy.direction;
      row.source_memory = copy.source;
      row.target_memory = copy.target;
      break;
    }
    case WorkKind::kMemset:
      row.target_memory = set_memory_of(name);
      break;
  }
  if (category.vendor != Vendor::kUnknown) {
    note_vendor(rows.tracks.rows()[row.track.row].first, category.vendor, rows);
  }
  if (row.correlation >= 0) {
    rows.any_correlation = true;
  } else if (row.external_id >= 0) {
    rows.works_without_correlation.push_back(static_cast<std::uint32_t>(rows.works.size()));
  }
  rows.works.push_back(row);
}

// Calls whose grid counts work-items instead of blocks (HIP's documentation of the two).
bool counts_work_items(std::string_view call) {
  return call == "hipExtModuleLaunchKernel" || call == "hipHccModuleLaunchKernel";
}

void note_call(const Event& e, std::string_view name, ChunkRows& rows) {
  if (rows.call_vendor == Vendor::kUnknown) rows.call_vendor = vendor_of_call(name);
  if (name.substr(0, 3) != "hip") return;
  CallFacts facts;
  facts.correlation = e.has(Field::kCorrelation)  ? e.correlation
                      : e.has(Field::kExternalId) ? e.external_id
                                                  : -1;
  if (facts.correlation < 0) return;
  if (e.has(Field::kGrid)) facts.config = launch_config(e);
  facts.grid_in_work_items = counts_work_items(name);
  if (e.has(Field::kKind)) facts.direction = direction_of_hip_kind(e.kind.view());
  facts.bytes = e.number_or(Field::kBytes, e.bytes, -1);
  const bool says_something = e.has(Field::kGrid) || facts.grid_in_work_items ||
                              facts.direction != model::CopyDirection::kUnknown;
  if (says_something) rows.calls.push_back(facts);
}

void add_span(const Event& e, const Category& category, ChunkRows& rows) {
  model::SpanRow row;
  row.start = e.time_ns;
  row.duration = e.number_or(Field::kDuration, e.duration_ns, 0);
  row.name = text_or_none(e, Field::kName, e.name, rows);
  row.kind = category.span;
  const std::string_view name =
      row.name.valid() ? rows.strings.texts()[row.name.row] : std::string_view();
  switch (row.kind) {
    case SpanKind::kOp:
      row.args = op_args(e, rows);
      row.external_id = e.number_or(Field::kExternalId, e.external_id, -1);
      if (is_user_range_name(name)) row.kind = SpanKind::kUserRange;
      break;
    case SpanKind::kRuntimeCall:
    case SpanKind::kDriverCall:
      note_call(e, name, rows);
      [[fallthrough]];
    case SpanKind::kSync:
      row.correlation = e.number_or(Field::kCorrelation, e.correlation, -1);
      if (row.correlation >= 0) rows.any_correlation = true;
      break;
    case SpanKind::kPython:
      if (e.pid.numeric && e.pid.number == 0 && e.tid.numeric && e.tid.number == 0) {
        rows.python_without_thread.push_back(row);
        return;
      }
      break;
    default:
      break;
  }
  if (category.target == Target::kStreamSpan) {
    row.track = stream_track(e, rows);
  } else {
    row.track = host_track(e, rows);
  }
  const bool is_call = row.kind == SpanKind::kRuntimeCall || row.kind == SpanKind::kDriverCall;
  if (is_call && row.correlation < 0 && e.has(Field::kExternalId)) {
    row.external_id = e.external_id;
    rows.spans_without_correlation.push_back(static_cast<std::uint32_t>(rows.spans.size()));
  }
  rows.spans.push_back(row);
}

// torch before 1.8.1 exported lists with named processes and no categories.
Category legacy_category(const Event& e) {
  if (!e.has(Field::kPid) || e.pid.text.data == nullptr) return {};
  const std::string_view pid = e.pid.text.view();
  if (pid == "CPU functions")
    return {Target::kSpan, SpanKind::kOp, WorkKind::kKernel, Vendor::kUnknown};
  if (pid == "CUDA functions") {
    return {Target::kWork, SpanKind::kOther, WorkKind::kKernel, Vendor::kUnknown};
  }
  return {};
}

void add_complete(const Event& e, std::int64_t offset, ChunkRows& rows) {
  Category category = e.has(Field::kCategory) ? category_of(e.category.view()) : legacy_category(e);
  if (!e.has(Field::kTime)) {
    const bool host = category.target != Target::kWork && category.target != Target::kUnknown;
    rows.notes.add(host ? Note::kDroppedNoTime : Note::kDroppedNoTimeDevice, offset);
    return;
  }
  switch (category.target) {
    case Target::kWork:
      add_work(e, category, rows);
      return;
    case Target::kFlow:
    case Target::kForwardFlow:
      return;
    case Target::kUnknown:
      rows.notes.add(Note::kUnknownCategory, offset);
      break;
    default:
      break;
  }
  add_span(e, category, rows);
}

void add_flow(const Event& e, ChunkRows& rows) {
  if (!e.has(Field::kCategory) || !e.has(Field::kId) || !e.has(Field::kTime)) return;
  if (category_of(e.category.view()).target != Target::kForwardFlow) return;
  rows.flows.push_back({e.id, e.time_ns, host_track(e, rows), e.phase == 's'});
}

void add_memory(const Event& e, ChunkRows& rows) {
  MemoryRow row;
  row.time = e.time_ns;
  row.track = host_track(e, rows);
  row.device_type = e.number_or(Field::kDeviceType, e.device_type, 0) == 0
                        ? model::MemoryDevice::kHost
                        : model::MemoryDevice::kDevice;
  row.device_index = narrow(e.number_or(Field::kDeviceId, e.device_id, -1));
  row.bytes = e.number_or(Field::kMemoryBytes, e.memory_bytes, 0);
  row.address = e.has(Field::kAddress) ? e.address : 0;
  row.allocated = e.number_or(Field::kTotalAllocated, e.total_allocated, -1);
  row.reserved = e.number_or(Field::kTotalReserved, e.total_reserved, -1);
  rows.memory.push_back(row);
}

void add_instant(const Event& e, ChunkRows& rows) {
  if (!e.has(Field::kTime)) return;
  const StringId name = text_or_none(e, Field::kName, e.name, rows);
  const std::string_view text = name.valid() ? rows.strings.texts()[name.row] : std::string_view();
  if (text == "[memory]") {
    add_memory(e, rows);
    return;
  }
  if (text == "Record Window End") rows.has_end_marker = true;
  rows.instants.push_back({e.time_ns, host_track(e, rows), name, 0});
}

// A counter event holds any number of named values.
void add_counters(const Event& e, ChunkRows& rows) {
  if (!e.has(Field::kTime) || !e.has(Field::kArgs)) return;
  const model::TrackId where = host_track(e, rows);
  const std::string_view event_name = e.has(Field::kName) ? e.name.view() : std::string_view();
  for_each_member(e.args, [&](std::string_view key, std::string_view value) {
    const Decimal number = parse_decimal(value.data(), 6);
    if (number.end == nullptr) return;
    std::string name;
    unescape(event_name, name, rows.notes);
    if (!name.empty()) name += "/";
    unescape(key, name, rows.notes);
    rows.counters.push_back({e.time_ns, where,
                             rows.strings.intern(rows.strings.keep(std::move(name))),
                             static_cast<double>(number.value) * 1e-6});
  });
}

void add_metadata(const Event& e, ChunkRows& rows) {
  if (!e.has(Field::kName) || !e.has(Field::kPid) || !e.pid.numeric) return;
  const std::string_view name = e.name.view();
  const std::int64_t tid = e.has(Field::kTid) && e.tid.numeric ? e.tid.number : 0;
  const auto add = [&](MetaKind kind, Field f, const Text& text) {
    if (e.has(f))
      rows.metas.push_back({kind, e.pid.number, tid, rows.strings.intern(text, rows.notes)});
  };
  if (name == "process_name") add(MetaKind::kProcessName, Field::kMetaName, e.meta_name);
  if (name == "process_labels") add(MetaKind::kProcessLabels, Field::kMetaLabels, e.meta_labels);
  if (name == "thread_name") add(MetaKind::kThreadName, Field::kMetaName, e.meta_name);
}

}  // namespace

void add_event(const Event& e, std::int64_t offset, ChunkRows& rows) {
  ++rows.events;
  if (e.duplicates != 0) rows.notes.add(Note::kDuplicateKey, offset, e.duplicates);
  if (e.time_is_text) rows.notes.add(Note::kStringTimestamp, offset);
  if (e.time_limited) rows.notes.add(Note::kTimeOutOfRange, offset);
  if (e.number_limited) rows.notes.add(Note::kNumberOutOfRange, offset);
  const char phase = e.has(Field::kPhase) ? e.phase : '\0';
  if (rows.first_time == 0 && e.has(Field::kTime) && phase != 'M') rows.first_time = e.time_ns;
  switch (phase) {
    case 'X':
      add_complete(e, offset, rows);
      return;
    case 's':
    case 'f':
      add_flow(e, rows);
      return;
    case 't':
      return;  // a flow's middle
    case 'i':
    case 'I':
      add_instant(e, rows);
      return;
    case 'C':
      add_counters(e, rows);
      return;
    case 'M':
      add_metadata(e, rows);
      return;
    default:
      rows.notes.add(Note::kUnsupportedPhase, offset);
  }
}

}  // namespace rooflab::importers::kineto
