// SPDX-License-Identifier: Apache-2.0
// The columns of each big table, with the names they have in a run file: sorting, the run file and
// tests walk them here, so a new column is added in profile.h and on one line of this file.
//
//   for_each_column(profile.spans, [&](std::string_view name, auto& column) { ... });
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "model/profile.h"

namespace rooflab::model {

// Table or const Table.
template <class T, class Table>
concept AnyOf = std::same_as<std::remove_const_t<T>, Table>;

template <AnyOf<SpanTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("start", t.start);
  f("duration", t.duration);
  f("name", t.name);
  f("track", t.track);
  f("kind", t.kind);
  f("args", t.args);
  f("correlation", t.correlation);
}

template <AnyOf<WorkTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("start", t.start);
  f("duration", t.duration);
  f("name", t.name);
  f("track", t.track);
  f("kind", t.kind);
  f("direction", t.direction);
  f("source_memory", t.source_memory);
  f("target_memory", t.target_memory);
  f("bytes", t.bytes);
  f("config", t.config);
  f("collective", t.collective);
  f("graph_node", t.graph_node);
  f("correlation", t.correlation);
  f("launch", t.launch);
  f("op", t.op);
}

template <AnyOf<MemoryEventTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("time", t.time);
  f("track", t.track);
  f("device_type", t.device_type);
  f("device_index", t.device_index);
  f("bytes", t.bytes);
  f("address", t.address);
  f("total_allocated", t.total_allocated);
  f("total_reserved", t.total_reserved);
}

template <AnyOf<InstantTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("time", t.time);
  f("track", t.track);
  f("name", t.name);
}

template <AnyOf<CounterTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("time", t.time);
  f("track", t.track);
  f("name", t.name);
  f("value", t.value);
}

template <AnyOf<SampleTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("time", t.time);
  f("track", t.track);
  f("stack", t.stack);
  f("event", t.event);
  f("weight", t.weight);
}

template <AnyOf<MeasuredTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("name", t.name);
  f("device", t.device);
  f("config", t.config);
  f("order", t.order);
  f("process", t.process);
  f("work", t.work);
}

template <AnyOf<MetricTable> T, class F>
void for_each_column(T& t, F&& f) {
  f("launch", t.launch);
  f("metric", t.metric);
  f("value", t.value);
}

}  // namespace rooflab::model
