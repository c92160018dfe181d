// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/merge.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rooflab::importers::kineto {
namespace {

using model::SpanKind;
using model::WorkKind;

constexpr std::int64_t kMillisecond = 1'000'000;
// A time of exactly 0 with no duration, in a file whose times start a second or more later, is a
// record that was never filled in (libkineto issue 109), not work at time 0.
constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

template <class Id>
Id mapped(const std::vector<Id>& map, Id local) {
  return local.valid() ? map[local.row] : Id();
}

std::int32_t blocks(std::int32_t items, std::int32_t block) {
  if (items < 0 || block <= 0) return items;
  return items / block + (items % block != 0 ? 1 : 0);
}

}  // namespace

StringId Merger::text(StringId local) const { return mapped(maps_.strings, local); }

std::int64_t Merger::time(std::int64_t file_time) {
  const std::int64_t t = saturating_add(file_time, -offset_);
  lowest_ = std::min(lowest_, t);
  return t;
}

void Merger::map_handles(const ChunkRows& rows) {
  maps_.strings.clear();
  for (const std::string_view t : rows.strings.texts()) maps_.strings.push_back(builder_.intern(t));
  maps_.tracks.clear();
  for (const LocalTrack& t : rows.tracks.rows()) {
    switch (t.kind) {
      case LocalTrackKind::kThread:
        maps_.tracks.push_back(builder_.thread_track(t.first, t.second));
        break;
      case LocalTrackKind::kStream:
        maps_.tracks.push_back(builder_.stream_track(t.first, t.second));
        break;
      case LocalTrackKind::kOther:
        maps_.tracks.push_back(builder_.other_track(rows.strings.texts()[t.name.row]));
        break;
    }
  }
  maps_.args.clear();
  for (const model::OpArgs& a : rows.args.rows()) {
    maps_.args.push_back(builder_.args(
        {text(a.dims), text(a.types), text(a.strides), text(a.concrete), text(a.call_stack)}));
  }
  maps_.configs.clear();
  for (const model::LaunchConfig& c : rows.configs.rows()) {
    maps_.configs.push_back(builder_.launch_config(c));
  }
  maps_.collectives.clear();
  for (model::Collective c : rows.collectives.rows()) {
    c.name = text(c.name);
    c.dtype = text(c.dtype);
    c.group_name = text(c.group_name);
    c.group_ranks = text(c.group_ranks);
    maps_.collectives.push_back(builder_.collective(c));
  }
}

void Merger::set_offset(const ChunkRows& rows) {
  if (offset_known_ || rows.first_time == 0) return;
  offset_ = floor_to(rows.first_time, kMillisecond);
  offset_known_ = true;
}

void Merger::add(const Chunk& chunk) {
  const ChunkRows& rows = chunk.rows;
  set_offset(rows);
  map_handles(rows);
  add_spans(rows);
  add_works(rows);
  add_points(rows);
  remember(rows);
  ended_inside_ = chunk.ends_inside;
}

void Merger::add_spans(const ChunkRows& rows) {
  auto external = rows.spans_without_correlation.begin();
  for (std::uint32_t i = 0; i < rows.spans.size(); ++i) {
    model::SpanRow row = rows.spans[i];
    row.start = time(row.start);
    row.name = text(row.name);
    row.track = maps_.tracks[row.track.row];
    row.args = mapped(maps_.args, row.args);
    if (external != rows.spans_without_correlation.end() && *external == i) {
      ++external;
      const auto at = static_cast<std::uint32_t>(builder_.profile().spans.size());
      calls_with_external_id_.push_back({at, row.external_id});
    }
    builder_.add(row);
  }
  for (model::SpanRow row : rows.python_without_thread) {
    row.start = time(row.start);
    row.name = text(row.name);
    python_without_thread_.push_back(row);
  }
}

void Merger::add_works(const ChunkRows& rows) {
  auto external = rows.works_without_correlation.begin();
  for (std::uint32_t i = 0; i < rows.works.size(); ++i) {
    model::WorkRow row = rows.works[i];
    const bool unset = row.start == 0 && row.duration == 0 && offset_ >= kSecond;
    row.start = time(row.start);
    row.name = text(row.name);
    row.track = maps_.tracks[row.track.row];
    row.config = mapped(maps_.configs, row.config);
    row.collective = mapped(maps_.collectives, row.collective);
    const bool by_external = external != rows.works_without_correlation.end() && *external == i;
    if (by_external) ++external;
    if (unset) {
      notes_.add(Note::kDroppedNoTimeDevice);
    } else if (by_external) {
      works_with_external_id_.push_back(row);
    } else {
      builder_.add(row);
    }
  }
}

void Merger::add_points(const ChunkRows& rows) {
  for (const FlowRow& f : rows.flows) {
    builder_.add_forward_backward(f.id, maps_.tracks[f.track.row], time(f.time), f.is_start);
  }
  for (const MemoryRow& m : rows.memory) {
    builder_.add_memory(time(m.time), maps_.tracks[m.track.row], m.device_type, m.device_index,
                        m.bytes, m.address, m.allocated, m.reserved);
  }
  for (const PointRow& p : rows.instants) {
    builder_.add_instant(time(p.time), maps_.tracks[p.track.row], text(p.name));
  }
  for (const PointRow& p : rows.counters) {
    builder_.add_counter(time(p.time), maps_.tracks[p.track.row], text(p.name), p.value);
  }
}

void Merger::remember(const ChunkRows& rows) {
  events_ += rows.events;
  notes_.merge(rows.notes);
  any_correlation_ = any_correlation_ || rows.any_correlation;
  has_end_marker_ = has_end_marker_ || rows.has_end_marker;
  if (call_vendor_ == model::Vendor::kUnknown) call_vendor_ = rows.call_vendor;
  for (const auto& [index, vendor] : rows.device_vendors) {
    builder_.profile().devices[builder_.device(index).row].vendor = vendor;
  }
  calls_.insert(calls_.end(), rows.calls.begin(), rows.calls.end());
  for (const MetaRow& m : rows.metas) names_[{m.kind, m.pid, m.tid}] = text(m.text);
}

// The first event of a file is not its earliest. Times stay positive, unless some are so far off
// that they must be wrong.
void Merger::start_at_lowest() {
  constexpr std::int64_t kFar = 3600 * kSecond;
  if (lowest_ >= 0 || lowest_ < -kFar) return;
  const std::int64_t shift = floor_to(lowest_, kMillisecond);
  builder_.shift_times(-shift);
  offset_ = saturating_add(offset_, shift);
  lowest_ = 0;
}

void Merger::finish() {
  place_python_frames();
  use_external_ids();
  start_at_lowest();
  apply_call_facts();
  apply_names();
}

// Frames with process 0 and thread 0 were open before the recorder knew their thread. They belong
// to the only thread that ran operators, if no other frames stand there; else to none we know.
void Merger::place_python_frames() {
  if (python_without_thread_.empty()) return;
  const model::Profile& p = builder_.profile();
  model::TrackId only;
  bool sure = true;
  for (std::size_t i = 0; i < p.spans.size() && sure; ++i) {
    const SpanKind kind = p.spans.kind[i];
    if (kind == SpanKind::kPython) sure = false;
    if (kind != SpanKind::kOp) continue;
    if (only.valid() && only != p.spans.track[i]) sure = false;
    only = p.spans.track[i];
  }
  sure = sure && only.valid();
  if (!sure) {
    only = builder_.other_track("python frames of an unknown thread");
    notes_.add(Note::kPythonThreadUnknown, -1,
               static_cast<std::int64_t>(python_without_thread_.size()));
  }
  for (model::SpanRow& row : python_without_thread_) {
    row.track = only;
    builder_.add(row);
  }
  python_without_thread_.clear();
}

// Where nothing in the file has a correlation, "External id" is one (ROCm before 5.7); elsewhere it
// names the operator.
void Merger::use_external_ids() {
  for (model::WorkRow& row : works_with_external_id_) {
    if (!any_correlation_) row.correlation = std::exchange(row.external_id, -1);
    builder_.add(row);
  }
  works_with_external_id_.clear();
  if (any_correlation_) return;
  for (const CallWithExternalId& call : calls_with_external_id_) {
    builder_.profile().spans.correlation[call.row] = call.external_id;
  }
}

// HIP records of work lack or misstate what the call that launched it knows: the grid (counted in
// work-items by hipExtModuleLaunchKernel), the geometry as a whole, and a copy's direction.
void Merger::apply_call_facts() {
  if (calls_.empty()) return;
  const auto before = [](const CallFacts& a, const CallFacts& b) {
    return a.correlation < b.correlation;
  };
  std::stable_sort(calls_.begin(), calls_.end(), before);
  model::WorkTable& work = builder_.profile().work;
  for (std::size_t i = 0; i < work.size(); ++i) {
    CallFacts key;
    key.correlation = work.correlation[i];
    const auto call = std::lower_bound(calls_.begin(), calls_.end(), key, before);
    if (call == calls_.end() || call->correlation != work.correlation[i]) continue;
    if (work.kind[i] == WorkKind::kKernel) {
      model::LaunchConfig config = call->config;
      if (work.config[i].valid()) {
        config = builder_.profile().launch_configs[work.config[i].row];
        if (config.grid[0] < 0) config.grid = call->config.grid;
        if (config.block[0] < 0) config.block = call->config.block;
        if (config.shared_bytes < 0) config.shared_bytes = call->config.shared_bytes;
      }
      if (call->grid_in_work_items) {
        for (std::size_t d = 0; d < 3; ++d)
          config.grid[d] = blocks(config.grid[d], config.block[d]);
      }
      work.config[i] = builder_.launch_config(config);
    } else if (work.kind[i] == WorkKind::kCopy) {
      if (work.bytes[i] < 0) work.bytes[i] = call->bytes;
      if (call->direction == model::CopyDirection::kUnknown) continue;
      if (call->direction == work.direction[i]) continue;
      work.direction[i] = call->direction;
      work.source_memory[i] = work.target_memory[i] = model::MemoryKind::kUnknown;
      notes_.add(Note::kCopyDirectionFromCall);
    }
  }
}

// Metadata events name processes, threads and streams; those that nothing runs on are left out.
void Merger::apply_names() {
  model::Profile& p = builder_.profile();
  const auto find = [&](MetaKind kind, std::int64_t pid, std::int64_t tid) {
    const auto it = names_.find({kind, pid, tid});
    return it == names_.end() ? StringId() : it->second;
  };
  for (model::Process& process : p.processes) {
    process.name = find(MetaKind::kProcessName, process.pid, 0);
    process.labels = find(MetaKind::kProcessLabels, process.pid, 0);
  }
  for (model::Thread& thread : p.threads) {
    thread.name = find(MetaKind::kThreadName, p.processes[thread.process.row].pid, thread.tid);
  }
  for (model::Track& track : p.tracks) {
    if (track.kind == model::TrackKind::kThread) track.name = p.threads[track.thread.row].name;
    if (track.kind == model::TrackKind::kStream) {
      track.name = find(MetaKind::kThreadName, p.devices[track.device.row].index, track.stream);
    }
  }
}

}  // namespace rooflab::importers::kineto
