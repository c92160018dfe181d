// SPDX-License-Identifier: Apache-2.0
// Builder: adding rows and finding the small tables' rows. Sorting and linking are in build.cpp.
#include "model/builder.h"

#include <xxhash.h>

#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace rooflab::model {
namespace {

// Keys of the find-or-add maps: a few integers, hashed as bytes.
template <std::size_t N>
using Key = std::array<std::int64_t, N>;

struct KeyHash {
  template <std::size_t N>
  std::size_t operator()(const Key<N>& key) const {
    return XXH3_64bits(key.data(), sizeof(key));
  }
};

template <std::size_t N>
using Map = std::unordered_map<Key<N>, std::uint32_t, KeyHash>;

std::int64_t wide(StringId id) { return static_cast<std::int64_t>(id.row); }

// The row stored under `key`, or the next row of `table` after pushing `make()`.
template <class HandleType, std::size_t N, class Table, class Make>
HandleType find_or_add(Map<N>& map, const Key<N>& key, Table& table, Make make) {
  const auto [it, added] = map.try_emplace(key, static_cast<std::uint32_t>(table.size()));
  if (added) table.push_back(make());
  return HandleType(it->second);
}

}  // namespace

struct Builder::Index {
  Map<1> processes, devices, other_tracks;
  Map<2> threads, thread_tracks;
  Map<3> stream_tracks;
  Map<4> stacks;
  Map<5> args;
  Map<9> configs;
  Map<7> collectives;
};

Builder::Builder(std::string input) : input_(std::move(input)), index_(std::make_shared<Index>()) {
  profile_.provenance.input = input_;
}

ProcessId Builder::process(std::int64_t pid) {
  return find_or_add<ProcessId>(index_->processes, {pid}, profile_.processes, [&] {
    return Process{pid, {}, {}};
  });
}

ThreadId Builder::thread(std::int64_t pid, std::int64_t tid) {
  const ProcessId owner = process(pid);
  return find_or_add<ThreadId>(index_->threads, {pid, tid}, profile_.threads, [&] {
    return Thread{owner, tid, {}};
  });
}

DeviceId Builder::device(std::int64_t index) {
  return find_or_add<DeviceId>(index_->devices, {index}, profile_.devices, [&] {
    Device device;
    device.index = index;
    return device;
  });
}

TrackId Builder::thread_track(std::int64_t pid, std::int64_t tid) {
  const ThreadId owner = thread(pid, tid);
  return find_or_add<TrackId>(index_->thread_tracks, {pid, tid}, profile_.tracks, [&] {
    Track track;
    track.kind = TrackKind::kThread;
    track.thread = owner;
    track.process = profile_.threads[owner.row].process;
    return track;
  });
}

TrackId Builder::stream_track(std::int64_t device_index, std::int64_t stream, std::int64_t pid) {
  const DeviceId owner = device(device_index);
  const ProcessId launcher = pid < 0 ? ProcessId() : process(pid);
  return find_or_add<TrackId>(index_->stream_tracks, {device_index, stream, pid}, profile_.tracks,
                              [&] {
                                Track track;
                                track.kind = TrackKind::kStream;
                                track.device = owner;
                                track.process = launcher;
                                track.stream = stream;
                                return track;
                              });
}

TrackId Builder::other_track(std::string_view name) {
  const StringId id = intern(name);
  return find_or_add<TrackId>(index_->other_tracks, {wide(id)}, profile_.tracks, [&] {
    Track track;
    track.name = id;
    return track;
  });
}

ArgsId Builder::args(const OpArgs& a) {
  const Key<5> key{wide(a.dims), wide(a.types), wide(a.strides), wide(a.concrete),
                   wide(a.call_stack)};
  return find_or_add<ArgsId>(index_->args, key, profile_.op_args, [&] { return a; });
}

LaunchConfigId Builder::launch_config(const LaunchConfig& c) {
  const Key<9> key{c.grid[0],   c.grid[1],      c.grid[2],
                   c.block[0],  c.block[1],     c.block[2],
                   c.registers, c.shared_bytes, std::bit_cast<std::int32_t>(c.occupancy_percent)};
  return find_or_add<LaunchConfigId>(index_->configs, key, profile_.launch_configs,
                                     [&] { return c; });
}

CollectiveId Builder::collective(const Collective& c) {
  const Key<7> key{wide(c.name),  wide(c.dtype),  wide(c.group_name), wide(c.group_ranks),
                   c.in_elements, c.out_elements, c.group_size};
  return find_or_add<CollectiveId>(index_->collectives, key, profile_.collectives,
                                   [&] { return c; });
}

void Builder::add(const SpanRow& row) {
  SpanTable& t = profile_.spans;
  CHECK(row.track.row < profile_.tracks.size(), "a span's track comes from this builder");
  t.start.push_back(row.start);
  t.duration.push_back(row.duration);
  t.name.push_back(row.name);
  t.track.push_back(row.track);
  t.kind.push_back(row.kind);
  t.args.push_back(row.args);
  t.correlation.push_back(row.correlation);
  op_external_ids_.push_back(row.kind == SpanKind::kOp ? row.external_id : -1);
}

void Builder::add(const WorkRow& row) {
  WorkTable& t = profile_.work;
  CHECK(row.track.row < profile_.tracks.size() &&
            profile_.tracks[row.track.row].kind == TrackKind::kStream,
        "device work stands on a stream of this builder");
  t.start.push_back(row.start);
  t.duration.push_back(row.duration);
  t.name.push_back(row.name);
  t.track.push_back(row.track);
  t.kind.push_back(row.kind);
  t.direction.push_back(row.direction);
  t.source_memory.push_back(row.source_memory);
  t.target_memory.push_back(row.target_memory);
  t.bytes.push_back(row.bytes);
  t.config.push_back(row.config);
  t.collective.push_back(row.collective);
  t.graph_node.push_back(row.graph_node);
  t.correlation.push_back(row.correlation);
  t.launch.emplace_back();
  t.op.emplace_back();
  work_external_ids_.push_back(row.external_id);
}

void Builder::add_forward_backward(std::int64_t id, TrackId track, std::int64_t time,
                                   bool is_start) {
  flow_ends_.push_back({id, time, track, is_start});
}

void Builder::add_memory(std::int64_t time, TrackId track, MemoryDevice device_type,
                         std::int32_t device_index, std::int64_t bytes, std::uint64_t address,
                         std::int64_t allocated, std::int64_t reserved) {
  MemoryEventTable& t = profile_.memory_events;
  t.time.push_back(time);
  t.track.push_back(track);
  t.device_type.push_back(device_type);
  t.device_index.push_back(device_index);
  t.bytes.push_back(bytes);
  t.address.push_back(address);
  t.total_allocated.push_back(allocated);
  t.total_reserved.push_back(reserved);
}

void Builder::add_instant(std::int64_t time, TrackId track, StringId name) {
  profile_.instants.time.push_back(time);
  profile_.instants.track.push_back(track);
  profile_.instants.name.push_back(name);
}

void Builder::add_counter(std::int64_t time, TrackId track, StringId name, double value) {
  profile_.counters.time.push_back(time);
  profile_.counters.track.push_back(track);
  profile_.counters.name.push_back(name);
  profile_.counters.value.push_back(value);
}

StackId Builder::stack(const Stack& s) {
  CHECK(!s.caller.valid() || s.caller.row < profile_.stacks.size(),
        "a caller comes from this builder");
  const Key<4> key{wide(s.frame), s.caller.row, wide(s.module), wide(s.location)};
  return find_or_add<StackId>(index_->stacks, key, profile_.stacks, [&] { return s; });
}

void Builder::add(const SampleRow& row) {
  SampleTable& t = profile_.samples;
  t.time.push_back(row.time);
  t.track.push_back(row.track);
  t.stack.push_back(row.stack);
  t.event.push_back(row.event);
  t.weight.push_back(row.weight);
}

MeasuredId Builder::add(const MeasuredRow& row) {
  MeasuredTable& t = profile_.measured;
  t.name.push_back(row.name);
  t.device.push_back(row.device);
  t.config.push_back(row.config);
  t.order.push_back(row.order);
  t.process.push_back(row.process);
  t.work.emplace_back();
  return MeasuredId(t.size() - 1);
}

void Builder::add_metric(MeasuredId launch, std::string_view metric, double value) {
  CHECK(launch.row < profile_.measured.size(), "a measured launch comes from this builder");
  if (std::isnan(value)) return;
  MetricTable& t = profile_.metrics;
  t.launch.push_back(launch);
  t.metric.push_back(intern(metric));
  t.value.push_back(value);
}

void Builder::shift_times(std::int64_t delta) {
  const auto shift = [delta](std::vector<std::int64_t>& times) {
    for (std::int64_t& time : times) time = saturating_add(time, delta);
  };
  shift(profile_.spans.start);
  shift(profile_.work.start);
  shift(profile_.memory_events.time);
  shift(profile_.instants.time);
  shift(profile_.counters.time);
  for (std::int64_t& time : profile_.samples.time) {
    if (time != kNoTime) time = saturating_add(time, delta);
  }
  for (FlowEnd& end : flow_ends_) end.time = saturating_add(end.time, delta);
}

}  // namespace rooflab::model
