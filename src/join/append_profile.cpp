// SPDX-License-Identifier: Apache-2.0
#include "join/append_profile.h"

#include <algorithm>
#include <array>
#include <vector>

namespace rooflab::join {
namespace {

// Far above the ids of a recorder, so that an id made here is no id of a file.
constexpr std::int64_t kOwnIds = std::int64_t{1} << 62;

// What build() counts again over all rows; a part's own count would be wrong beside it (its work
// may be linked now) or count twice.
constexpr std::array<std::string_view, 5> kCountedAgain{"unlinked_work", "duplicate_correlation",
                                                        "stream_overlap", "zero_duration",
                                                        "zero_duration_host"};

template <class T>
void complete(T& known, const T& unknown, const T& said) {
  if (known == unknown) known = said;
}

class Appender {
 public:
  Appender(model::Builder& to, const model::Profile& from, std::int64_t time_shift)
      : to_(to), from_(from), shift_(time_shift), first_span_(to.profile().spans.size()) {}

  void run() {
    map_texts();
    add_owners();
    add_tracks();
    add_shared_rows();
    add_spans();
    add_work();
    add_flows();
    add_events();
    add_samples();
    add_measured();
    add_provenance();
  }

 private:
  void map_texts() {
    texts_.reserve(from_.strings.size());
    for (std::size_t i = 0; i < from_.strings.size(); ++i)
      texts_.push_back(to_.intern(from_.text(StringId(i))));
  }
  [[nodiscard]] StringId text(StringId id) const {
    return id.row < texts_.size() ? texts_[id.row] : StringId();
  }
  // Empty texts and invalid handles both say nothing.
  void name(StringId& known, StringId said) const {
    if (to_.profile().text(known).empty()) known = text(said);
  }
  [[nodiscard]] std::int64_t time(std::int64_t t) const { return saturating_add(t, shift_); }

  void add_owners() {
    model::Profile& p = to_.profile();
    for (const model::Process& process : from_.processes) {
      const model::ProcessId id = to_.process(process.pid);
      name(p.processes[id.row].name, process.name);
      name(p.processes[id.row].labels, process.labels);
    }
    for (const model::Thread& thread : from_.threads) {
      const model::ThreadId id = to_.thread(pid_of(thread.process, 0), thread.tid);
      name(p.threads[id.row].name, thread.name);
    }
    for (const model::Device& device : from_.devices) add_device(device);
  }

  void add_device(const model::Device& said) {
    const model::DeviceId id = to_.device(said.index);
    devices_.push_back(id);
    model::Device& known = to_.profile().devices[id.row];
    const model::Device unknown;
    name(known.name, said.name);
    complete(known.vendor, unknown.vendor, said.vendor);
    complete(known.compute_major, unknown.compute_major, said.compute_major);
    complete(known.compute_minor, unknown.compute_minor, said.compute_minor);
    complete(known.multiprocessors, unknown.multiprocessors, said.multiprocessors);
    complete(known.warp_size, unknown.warp_size, said.warp_size);
    complete(known.max_threads_per_multiprocessor, unknown.max_threads_per_multiprocessor,
             said.max_threads_per_multiprocessor);
    complete(known.memory_bytes, unknown.memory_bytes, said.memory_bytes);
    complete(known.shared_bytes_per_multiprocessor, unknown.shared_bytes_per_multiprocessor,
             said.shared_bytes_per_multiprocessor);
    complete(known.registers_per_multiprocessor, unknown.registers_per_multiprocessor,
             said.registers_per_multiprocessor);
  }

  [[nodiscard]] std::int64_t pid_of(model::ProcessId id, std::int64_t otherwise) const {
    return id.valid() ? from_.processes[id.row].pid : otherwise;
  }

  void add_tracks() {
    for (const model::Track& track : from_.tracks) {
      const model::TrackId id = track_like(track);
      tracks_.push_back(id);
      name(to_.profile().tracks[id.row].name, track.name);
    }
  }
  model::TrackId track_like(const model::Track& track) {
    if (track.kind == model::TrackKind::kThread && track.thread.valid()) {
      const model::Thread& thread = from_.threads[track.thread.row];
      return to_.thread_track(pid_of(thread.process, 0), thread.tid);
    }
    if (track.kind == model::TrackKind::kStream && track.device.valid()) {
      return to_.stream_track(from_.devices[track.device.row].index, track.stream,
                              pid_of(track.process, -1));
    }
    return to_.other_track(from_.text(track.name));
  }

  void add_shared_rows() {
    for (const model::OpArgs& a : from_.op_args) {
      args_.push_back(to_.args(
          {text(a.dims), text(a.types), text(a.strides), text(a.concrete), text(a.call_stack)}));
    }
    for (const model::LaunchConfig& c : from_.launch_configs)
      configs_.push_back(to_.launch_config(c));
    for (model::Collective c : from_.collectives) {
      c.name = text(c.name);
      c.dtype = text(c.dtype);
      c.group_name = text(c.group_name);
      c.group_ranks = text(c.group_ranks);
      collectives_.push_back(to_.collective(c));
    }
    for (model::Stack s : from_.stacks) {  // callers stand before those they call
      s.frame = text(s.frame);
      s.module = text(s.module);
      s.location = text(s.location);
      s.caller = mapped(s.caller, stacks_);
      stacks_.push_back(to_.stack(s));
    }
  }

  template <class Id>
  [[nodiscard]] static Id mapped(Id id, const std::vector<Id>& map) {
    return id.row < map.size() ? map[id.row] : Id();
  }
  // The id that stands for a row of `from_`'s spans in links that build() makes again.
  [[nodiscard]] std::int64_t own_id(model::SpanId span) const {
    return kOwnIds + static_cast<std::int64_t>(first_span_ + span.row);
  }

  void add_spans() {
    const model::SpanTable& t = from_.spans;
    std::vector<bool> named(t.size(), false);
    for (const model::SpanId op : from_.work.op)
      if (op.valid()) named[op.row] = true;
    for (std::size_t i = 0; i < t.size(); ++i) {
      model::SpanRow row;
      row.start = time(t.start[i]);
      row.duration = t.duration[i];
      row.name = text(t.name[i]);
      row.track = tracks_[t.track[i].row];
      row.kind = t.kind[i];
      row.args = mapped(t.args[i], args_);
      row.correlation = t.correlation[i];
      if (named[i]) row.external_id = own_id(model::SpanId(i));
      to_.add(row);
    }
  }

  void add_work() {
    const model::WorkTable& t = from_.work;
    for (std::size_t i = 0; i < t.size(); ++i) {
      model::WorkRow row;
      row.start = time(t.start[i]);
      row.duration = t.duration[i];
      row.name = text(t.name[i]);
      row.track = tracks_[t.track[i].row];
      row.kind = t.kind[i];
      row.direction = t.direction[i];
      row.source_memory = t.source_memory[i];
      row.target_memory = t.target_memory[i];
      row.bytes = t.bytes[i];
      row.config = mapped(t.config[i], configs_);
      row.collective = mapped(t.collective[i], collectives_);
      row.graph_node = t.graph_node[i];
      row.correlation = t.correlation[i];
      if (t.op[i].valid()) row.external_id = own_id(t.op[i]);
      to_.add(row);
    }
  }

  void add_flows() {
    for (const model::ForwardBackward& flow : from_.forward_backward) {
      const std::int64_t id = own_id(flow.forward);
      add_flow_end(id, flow.forward, true);
      add_flow_end(id, flow.backward, false);
    }
  }
  void add_flow_end(std::int64_t id, model::SpanId end, bool is_start) {
    const model::SpanTable& spans = from_.spans;
    to_.add_forward_backward(id, tracks_[spans.track[end.row].row], time(spans.start[end.row]),
                             is_start);
  }

  void add_events() {
    const model::MemoryEventTable& m = from_.memory_events;
    for (std::size_t i = 0; i < m.size(); ++i) {
      to_.add_memory(time(m.time[i]), tracks_[m.track[i].row], m.device_type[i], m.device_index[i],
                     m.bytes[i], m.address[i], m.total_allocated[i], m.total_reserved[i]);
    }
    const model::InstantTable& n = from_.instants;
    for (std::size_t i = 0; i < n.size(); ++i)
      to_.add_instant(time(n.time[i]), tracks_[n.track[i].row], text(n.name[i]));
    const model::CounterTable& c = from_.counters;
    for (std::size_t i = 0; i < c.size(); ++i)
      to_.add_counter(time(c.time[i]), tracks_[c.track[i].row], text(c.name[i]), c.value[i]);
  }

  void add_samples() {
    const model::SampleTable& t = from_.samples;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const std::int64_t at = t.time[i] == model::kNoTime ? model::kNoTime : time(t.time[i]);
      to_.add(model::SampleRow{at, mapped(t.track[i], tracks_), mapped(t.stack[i], stacks_),
                               text(t.event[i]), t.weight[i]});
    }
  }

  void add_measured() {
    const model::MeasuredTable& t = from_.measured;
    std::vector<model::MeasuredId> ids;
    for (std::size_t i = 0; i < t.size(); ++i) {
      ids.push_back(
          to_.add(model::MeasuredRow{text(t.name[i]), mapped(t.device[i], devices_),
                                     mapped(t.config[i], configs_), t.order[i], t.process[i]}));
    }
    const model::MetricTable& m = from_.metrics;
    for (std::size_t i = 0; i < m.size(); ++i)
      to_.add_metric(ids[m.launch[i].row], from_.text(m.metric[i]), m.value[i]);
  }

  void add_provenance() {
    model::Profile& p = to_.profile();
    const model::Provenance& said = from_.provenance;
    model::Provenance& known = p.provenance;
    complete(known.importer, {}, said.importer);
    complete(known.tool, {}, said.tool);
    complete(known.tool_version, {}, said.tool_version);
    if (first_of_all_ && said.epoch_ns != 0)
      known.epoch_ns = saturating_add(said.epoch_ns, -shift_);
    known.device_activity_recorded |= said.device_activity_recorded;
    known.shapes_recorded |= said.shapes_recorded;
    known.stacks_recorded |= said.stacks_recorded;
    known.memory_recorded |= said.memory_recorded;
    known.host_ops_recorded |= said.host_ops_recorded;
    for (const auto& entry : said.metadata) {
      const auto same = [&](const auto& other) { return other == entry; };
      if (std::none_of(known.metadata.begin(), known.metadata.end(), same))
        known.metadata.push_back(entry);
    }
    complete(p.rank.rank, std::int64_t{-1}, from_.rank.rank);
    complete(p.rank.world_size, std::int64_t{-1}, from_.rank.world_size);
    complete(p.rank.backend, {}, from_.rank.backend);
    for (const model::HygieneNote& note : from_.hygiene.notes()) {
      if (std::find(kCountedAgain.begin(), kCountedAgain.end(), note.code) == kCountedAgain.end())
        to_.hygiene().add(note.code, note.input, note.count, note.hint, note.forbids);
    }
  }

  model::Builder& to_;
  const model::Profile& from_;
  const std::int64_t shift_;
  const std::size_t first_span_;
  const bool first_of_all_ = to_.profile().provenance.importer.empty();
  std::vector<StringId> texts_;
  std::vector<model::DeviceId> devices_;
  std::vector<model::TrackId> tracks_;
  std::vector<model::ArgsId> args_;
  std::vector<model::LaunchConfigId> configs_;
  std::vector<model::CollectiveId> collectives_;
  std::vector<model::StackId> stacks_;
};

}  // namespace

void append_profile(model::Builder& to, const model::Profile& from, std::int64_t time_shift) {
  Appender(to, from, time_shift).run();
}

}  // namespace rooflab::join
