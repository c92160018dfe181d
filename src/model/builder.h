// SPDX-License-Identifier: Apache-2.0
// The one way to make a Profile: importers add rows in file order, build() sorts, links and counts
// what is odd.
//
// build(): negative durations become 0 and are counted (`negative_duration`), times beyond
// kTimeLimit are cut to it (`time_too_large`); rows are sorted as profile.h says
// (`out_of_order` counts rows that were not); device work is linked to its launch by (process,
// correlation), many works to one call (graph launches); work without one is counted
// (`unlinked_work`) and keeps its operator by external id where the recorder gave one; overlaps on
// one stream (`stream_overlap`), zero durations (`zero_duration`), duplicate correlations of calls
// (`duplicate_correlation`) are counted. Device work is never dropped.
//
// Not thread-safe: a parallel reader parses chunks into rows of its own and adds them here in chunk
// order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace rooflab::model {

struct SpanRow {
  std::int64_t start = 0, duration = 0;
  StringId name;
  TrackId track;
  SpanKind kind = SpanKind::kOther;
  ArgsId args;
  std::int64_t correlation = -1;
  std::int64_t external_id = -1;  // kOp only: for work whose launch has no record
};

struct WorkRow {
  std::int64_t start = 0, duration = 0;
  StringId name;
  TrackId track;
  WorkKind kind = WorkKind::kKernel;
  CopyDirection direction = CopyDirection::kNone;
  MemoryKind source_memory = MemoryKind::kUnknown, target_memory = MemoryKind::kUnknown;
  std::int64_t bytes = -1;
  LaunchConfigId config;
  CollectiveId collective;
  std::int64_t graph_node = -1;
  std::int64_t correlation = -1;
  std::int64_t external_id = -1;
};

struct MeasuredRow {
  StringId name;
  DeviceId device;
  LaunchConfigId config;
  std::int64_t order = 0;
  std::int64_t process = -1;
};

struct SampleRow {
  std::int64_t time = kNoTime;
  TrackId track;
  StackId stack;
  StringId event;
  std::int64_t weight = 1;
};

class Builder {
 public:
  explicit Builder(std::string input);

  StringId intern(std::string_view text) { return profile_.strings.intern(text); }
  // Find-or-add; a later call with more knowledge (a name) completes the row.
  ProcessId process(std::int64_t pid);
  ThreadId thread(std::int64_t pid, std::int64_t tid);
  DeviceId device(std::int64_t index);
  TrackId thread_track(std::int64_t pid, std::int64_t tid);
  // `pid`: the process whose correlations the stream's work refers to; -1 = the file's only or
  // first one.
  TrackId stream_track(std::int64_t device_index, std::int64_t stream, std::int64_t pid = -1);
  TrackId other_track(std::string_view name);
  ArgsId args(const OpArgs& args);
  LaunchConfigId launch_config(const LaunchConfig& config);
  CollectiveId collective(const Collective& collective);

  void add(const SpanRow& row);
  void add(const WorkRow& row);
  // One end of a forward -> backward flow; ends with equal ids are joined, each to the span on
  // `track` that starts at `time` (innermost). Unmatched ends are counted (`unmatched_flow`).
  void add_forward_backward(std::int64_t id, TrackId track, std::int64_t time, bool is_start);
  void add_memory(std::int64_t time, TrackId track, MemoryDevice device_type,
                  std::int32_t device_index, std::int64_t bytes, std::uint64_t address,
                  std::int64_t allocated, std::int64_t reserved);
  void add_instant(std::int64_t time, TrackId track, StringId name);
  void add_counter(std::int64_t time, TrackId track, StringId name, double value);
  // Outermost frame first: the handle of each is the caller of the next. Equal stacks are one row.
  StackId stack(const Stack& frame);
  void add(const SampleRow& row);
  MeasuredId add(const MeasuredRow& row);
  // Of the launch added last, or of an earlier one: build() puts them in order. NaN is no value.
  void add_metric(MeasuredId launch, std::string_view metric, double value);

  // Rows that can be edited until build(): names, device properties, rank, provenance, hygiene.
  [[nodiscard]] Profile& profile() { return profile_; }
  [[nodiscard]] Hygiene& hygiene() { return profile_.hygiene; }

  // Adds `delta` to every time (baseTimeNanoseconds may come after the events). Call before
  // build().
  void shift_times(std::int64_t delta);
  [[nodiscard]] Profile build() &&;

 private:
  struct FlowEnd {
    std::int64_t id = 0, time = 0;
    TrackId track;
    bool is_start = false;
  };
  struct Index;  // find-or-add maps

  Profile profile_;
  std::string input_;
  std::vector<std::int64_t> op_external_ids_;    // per span, kept only while needed
  std::vector<std::int64_t> work_external_ids_;  // per work
  std::vector<FlowEnd> flow_ends_;
  std::shared_ptr<Index> index_;
};

}  // namespace rooflab::model
