// SPDX-License-Identifier: Apache-2.0
// The fields of each row of the small tables, with the names they have in a run file (the big
// tables are in columns.h). A new field is added in profile.h and on one line of this file.
//
//   for_each_field<Thread>([&](std::string_view name, auto field) {
//     auto& value = std::invoke(field, thread);
//   });
#pragma once

#include <string>
#include <utility>

#include "model/profile.h"

namespace rooflab::model {

using MetadataRow = std::pair<std::string, std::string>;

template <class Row>
struct Fields;

template <>
struct Fields<Process> {
  template <class F>
  static void visit(F&& f) {
    f("pid", &Process::pid);
    f("name", &Process::name);
    f("labels", &Process::labels);
  }
};

template <>
struct Fields<Thread> {
  template <class F>
  static void visit(F&& f) {
    f("process", &Thread::process);
    f("tid", &Thread::tid);
    f("name", &Thread::name);
  }
};

template <>
struct Fields<Device> {
  template <class F>
  static void visit(F&& f) {
    f("index", &Device::index);
    f("name", &Device::name);
    f("vendor", &Device::vendor);
    f("compute_major", &Device::compute_major);
    f("compute_minor", &Device::compute_minor);
    f("multiprocessors", &Device::multiprocessors);
    f("warp_size", &Device::warp_size);
    f("max_threads_per_multiprocessor", &Device::max_threads_per_multiprocessor);
    f("memory_bytes", &Device::memory_bytes);
    f("shared_bytes_per_multiprocessor", &Device::shared_bytes_per_multiprocessor);
    f("registers_per_multiprocessor", &Device::registers_per_multiprocessor);
  }
};

template <>
struct Fields<Track> {
  template <class F>
  static void visit(F&& f) {
    f("kind", &Track::kind);
    f("thread", &Track::thread);
    f("device", &Track::device);
    f("process", &Track::process);
    f("stream", &Track::stream);
    f("name", &Track::name);
  }
};

template <>
struct Fields<OpArgs> {
  template <class F>
  static void visit(F&& f) {
    f("dims", &OpArgs::dims);
    f("types", &OpArgs::types);
    f("strides", &OpArgs::strides);
    f("concrete", &OpArgs::concrete);
    f("call_stack", &OpArgs::call_stack);
  }
};

template <>
struct Fields<LaunchConfig> {
  template <std::size_t kAxis>
  static auto grid() {
    return [](auto& row) -> auto& { return row.grid[kAxis]; };
  }
  template <std::size_t kAxis>
  static auto block() {
    return [](auto& row) -> auto& { return row.block[kAxis]; };
  }
  template <class F>
  static void visit(F&& f) {
    f("grid_x", grid<0>());
    f("grid_y", grid<1>());
    f("grid_z", grid<2>());
    f("block_x", block<0>());
    f("block_y", block<1>());
    f("block_z", block<2>());
    f("registers", &LaunchConfig::registers);
    f("shared_bytes", &LaunchConfig::shared_bytes);
    f("occupancy_percent", &LaunchConfig::occupancy_percent);
  }
};

template <>
struct Fields<Collective> {
  template <class F>
  static void visit(F&& f) {
    f("name", &Collective::name);
    f("dtype", &Collective::dtype);
    f("group_name", &Collective::group_name);
    f("group_ranks", &Collective::group_ranks);
    f("in_elements", &Collective::in_elements);
    f("out_elements", &Collective::out_elements);
    f("group_size", &Collective::group_size);
  }
};

template <>
struct Fields<ForwardBackward> {
  template <class F>
  static void visit(F&& f) {
    f("forward", &ForwardBackward::forward);
    f("backward", &ForwardBackward::backward);
  }
};

template <>
struct Fields<Stack> {
  template <class F>
  static void visit(F&& f) {
    f("frame", &Stack::frame);
    f("caller", &Stack::caller);
    f("module", &Stack::module);
    f("location", &Stack::location);
  }
};

template <>
struct Fields<RankInfo> {
  template <class F>
  static void visit(F&& f) {
    f("rank", &RankInfo::rank);
    f("world_size", &RankInfo::world_size);
    f("backend", &RankInfo::backend);
  }
};

// Without metadata, which is a table of its own.
template <>
struct Fields<Provenance> {
  template <class F>
  static void visit(F&& f) {
    f("input", &Provenance::input);
    f("importer", &Provenance::importer);
    f("tool", &Provenance::tool);
    f("tool_version", &Provenance::tool_version);
    f("epoch_ns", &Provenance::epoch_ns);
    f("device_activity_recorded", &Provenance::device_activity_recorded);
    f("shapes_recorded", &Provenance::shapes_recorded);
    f("stacks_recorded", &Provenance::stacks_recorded);
    f("memory_recorded", &Provenance::memory_recorded);
    f("host_ops_recorded", &Provenance::host_ops_recorded);
  }
};

template <>
struct Fields<MetadataRow> {
  template <class F>
  static void visit(F&& f) {
    f("key", &MetadataRow::first);
    f("value", &MetadataRow::second);
  }
};

template <>
struct Fields<HygieneNote> {
  template <class F>
  static void visit(F&& f) {
    f("code", &HygieneNote::code);
    f("input", &HygieneNote::input);
    f("count", &HygieneNote::count);
    f("hint", &HygieneNote::hint);
    f("forbids", &HygieneNote::forbids);
  }
};

template <class Row, class F>
void for_each_field(F&& f) {
  Fields<Row>::visit(f);
}

// Every table of a profile, in the order in which a run file holds them. `v` has
// rows(name, std::vector<Row>&), columns(name, Table&) and row(name, Row&).
template <class AnyProfile, class V>
void for_each_table(AnyProfile& p, V&& v) {
  v.rows("processes", p.processes);
  v.rows("threads", p.threads);
  v.rows("devices", p.devices);
  v.rows("tracks", p.tracks);
  v.columns("spans", p.spans);
  v.rows("op_args", p.op_args);
  v.columns("work", p.work);
  v.rows("launch_configs", p.launch_configs);
  v.rows("collectives", p.collectives);
  v.rows("forward_backward", p.forward_backward);
  v.columns("memory_events", p.memory_events);
  v.columns("instants", p.instants);
  v.columns("counters", p.counters);
  v.rows("stacks", p.stacks);
  v.columns("samples", p.samples);
  v.columns("measured", p.measured);
  v.columns("metrics", p.metrics);
  v.row("rank", p.rank);
  v.row("provenance", p.provenance);
  v.rows("metadata", p.provenance.metadata);
}

}  // namespace rooflab::model
