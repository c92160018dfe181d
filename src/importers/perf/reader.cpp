// SPDX-License-Identifier: Apache-2.0
#include "importers/perf/reader.h"

#include <algorithm>
#include <charconv>

#include "importers/cpu_events.h"
#include "model/off_core.h"

namespace rooflab::importers::perf {
namespace {

// perf itself stops at 127 frames unless told otherwise; deeper stacks lose their outer end.
constexpr std::size_t kDeepestStack = 1024;
constexpr std::string_view kUnknown = "[unknown]";

std::int64_t number_or(std::string_view text, std::int64_t other) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : other;
}

// "prev_state=S" in a tracepoint's fields -> "S"; empty where there is none.
std::string_view field(std::string_view fields, std::string_view key) {
  const std::size_t at = fields.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view value = fields.substr(at + key.size());
  return value.substr(0, value.find(' '));
}

bool starts_with_address(std::string_view s) {
  const std::string_view word = s.substr(0, s.find(' '));
  return word.size() >= 4 && word.size() < s.size() &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

}  // namespace

void Reader::line(std::string_view line) {
  if (trimmed(line).empty()) {
    end_sample();
    return;
  }
  if (line.front() == '#') {
    comment(line);
    return;
  }
  const bool indented = line.front() == '\t' || line.front() == ' ';
  if (indented && open_) {
    // A frame has an address or a module in brackets; a source line has neither.
    if (const auto place = parse_source_line(line); place && !frames_.empty()) {
      source_line(*place);
    } else {
      frame(line);
    }
    return;
  }
  if (indented && skipping_) return;
  const auto header = parse_header(line);
  skipping_ = false;
  if (!header) {
    end_sample();
    ++counts_.unreadable;
    return;
  }
  end_sample();
  if (header->record.empty()) {
    begin_sample(*header);
  } else {
    record(*header);
  }
}

// The clock that times are of: "# clockid: monotonic (1)", and what it read at a time of day:
// "# reference time: 2026-11-29 08:00:00.000000 = 1795939200.000000 (TOD) = 1866.500000000
// (monotonic)".
void Reader::comment(std::string_view text) {
  constexpr std::string_view kClock = "# clockid:", kReference = "# reference time:";
  if (text.starts_with(kClock)) {
    clock_ = trimmed(text.substr(kClock.size()));
    clock_ = clock_.substr(0, clock_.find(' '));
    builder_.profile().provenance.metadata.emplace_back("clock", clock_);
  }
  if (!text.starts_with(kReference)) return;
  constexpr std::string_view kOfDay = " (TOD) = ";
  const std::size_t day_end = text.find(kOfDay);
  if (day_end == std::string_view::npos) return;
  const std::size_t day_from = text.rfind("= ", day_end);
  if (day_from == std::string_view::npos) return;
  const auto day = seconds_to_ns(text.substr(day_from + 2, day_end - day_from - 2));
  const std::string_view after = text.substr(day_end + kOfDay.size());
  const auto own = seconds_to_ns(after.substr(0, after.find(' ')));
  if (day && own) builder_.profile().provenance.epoch_ns = *day - *own;
}

Reader::ThreadState& Reader::state_of(std::int64_t pid, std::int64_t tid) {
  ThreadState& state = threads_[tid];
  if (pid >= 0) state.pid = pid;
  return state;
}

model::TrackId Reader::track_of(std::int64_t pid, std::int64_t tid, std::string_view command) {
  ThreadState& state = state_of(pid, tid);
  const model::TrackId track = builder_.thread_track(state.pid, tid);
  if (!command.empty() && state.command != command) {
    state.command = command;
    const StringId name = builder_.intern(command);
    model::Profile& p = builder_.profile();
    model::Thread& thread = p.threads[p.tracks[track.row].thread.row];
    thread.name = name;
    if (state.pid == tid) p.processes[thread.process.row].name = name;
  }
  return track;
}

void Reader::begin_sample(const HeaderLine& header) {
  ++records_;
  const bool switches = header.event == "sched:sched_switch";
  const CpuEvent event = cpu_event(header.event);
  // The idle task runs where nothing else does: it is no work.
  if (header.tid == 0 && header.command.starts_with("swapper") && !switches) {
    ++counts_.idle;
    skipping_ = true;
    return;
  }
  if (switches) {
    sched_switch(header);
    skipping_ = header.tid == 0;
    if (skipping_) return;
  }
  ++samples_;
  sample_ = {};
  sample_.track = track_of(header.pid, header.tid, header.command);
  if (threads_[header.tid].pid < 0) ++counts_.no_process;
  sample_.time = header.time.value_or(model::kNoTime);
  if (!header.time) ++counts_.no_time;
  const bool weighted = header.period && *header.period > 0;
  sample_.weight = weighted ? *header.period : 1;
  if (!weighted) ++counts_.no_weight;
  // Time without a weight is a count of samples, no nanosecond each.
  sample_.event = builder_.intern(event.in_time && !weighted ? "samples" : event.name);
  open_ = true;
  innermost_known_ = true;
  deep_ = false;
  frames_.clear();
  // Without call graphs the one frame stands on the same line; a tracepoint has its fields there.
  if (starts_with_address(header.rest)) frame(header.rest);
}

void Reader::frame(std::string_view line) {
  const auto parsed = parse_frame(line);
  if (!parsed) {
    // The fields of a tracepoint may go on over lines of their own; a frame comes after them.
    ++counts_.unreadable;
    return;
  }
  if (frames_.empty()) innermost_known_ = parsed->known;
  if (frames_.size() == kDeepestStack) {
    deep_ = true;
    return;
  }
  frames_.push_back({builder_.intern(parsed->function), builder_.intern(parsed->module),
                     builder_.intern(parsed->location), parsed->inlined});
}

void Reader::source_line(std::string_view place) {
  if (!place.empty() && !frames_.empty()) frames_.back().location = builder_.intern(place);
}

// Outermost first; frames that were inlined stand in the module of the function they became part
// of.
model::StackId Reader::stack() {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].inlined && i + 1 < frames_.size()) frames_[i].module = frames_[i + 1].module;
  }
  // Frame pointers that were not kept leave runs of frames that say nothing at the outer end.
  const StringId unknown = builder_.intern(kUnknown);
  std::size_t end = frames_.size();
  while (end > 1 && frames_[end - 1].function == unknown && frames_[end - 1].module.row == 0) --end;
  model::StackId caller;
  for (std::size_t i = end; i-- > 0;) {
    caller = builder_.stack({frames_[i].function, caller, frames_[i].module, frames_[i].location});
  }
  return caller;
}

void Reader::end_sample() {
  if (!open_) return;
  open_ = false;
  if (deep_) ++counts_.deep;
  if (!innermost_known_) ++counts_.unresolved;
  sample_.stack = stack();
  builder_.add(sample_);
}

void Reader::record(const HeaderLine& header) {
  ++records_;
  const std::string_view words = header.record;
  const std::string_view kind = words.substr(0, words.find_first_of(" :(["));
  if (kind == "PERF_RECORD_SWITCH" || kind == "PERF_RECORD_SWITCH_CPU_WIDE") {
    switch_record(header);
  } else if (kind == "PERF_RECORD_COMM") {
    comm_record(header);
  } else if (kind == "PERF_RECORD_FORK") {
    fork_record(header);
  } else if (kind == "PERF_RECORD_LOST" || kind == "PERF_RECORD_LOST_SAMPLES") {
    const std::size_t at = words.find("lost ");
    const std::int64_t lost = at == std::string_view::npos ? 1 : number_or(words.substr(at + 5), 1);
    counts_.lost = saturating_add(counts_.lost, std::max<std::int64_t>(lost, 1));
  } else if (kind == "PERF_RECORD_THROTTLE") {
    ++counts_.throttled;
  } else if (!kind.starts_with("PERF_RECORD_MMAP") && kind != "PERF_RECORD_EXIT" &&
             kind != "PERF_RECORD_UNTHROTTLE" && kind != "PERF_RECORD_KSYMBOL" &&
             kind != "PERF_RECORD_BPF_EVENT" && kind != "PERF_RECORD_NAMESPACES" &&
             kind != "PERF_RECORD_CGROUP" && kind != "PERF_RECORD_TEXT_POKE" &&
             kind != "PERF_RECORD_FINISHED_ROUND" && kind != "PERF_RECORD_ID_INDEX" &&
             kind != "PERF_RECORD_THREAD_MAP" && kind != "PERF_RECORD_CPU_MAP" &&
             kind != "PERF_RECORD_TIME_CONV" && kind != "PERF_RECORD_FINISHED_INIT") {
    ++counts_.unknown_records;
  }
}

// "PERF_RECORD_COMM exec: hot_fp:7024/7024"
void Reader::comm_record(const HeaderLine& header) {
  std::string_view text = header.record;
  const std::size_t from = text.find(": ");
  const std::size_t colon = text.rfind(':');
  const std::size_t slash = text.rfind('/');
  if (from == std::string_view::npos || colon <= from || slash == std::string_view::npos ||
      slash < colon) {
    ++counts_.unreadable;
    return;
  }
  const std::int64_t pid = number_or(text.substr(colon + 1), -1);
  const std::int64_t tid = number_or(text.substr(slash + 1), -1);
  // Only names the thread: a thread that does nothing else needs no row.
  if (pid >= 0 && tid >= 0) state_of(pid, tid);
}

// "PERF_RECORD_FORK(7024:7032):(7024:7024)": the new process and thread, then their parent's.
void Reader::fork_record(const HeaderLine& header) {
  const std::string_view text = header.record;
  const std::size_t open = text.find('(');
  const std::size_t colon = text.find(':', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || colon == std::string_view::npos) {
    ++counts_.unreadable;
    return;
  }
  const std::int64_t pid = number_or(text.substr(open + 1), -1);
  const std::int64_t tid = number_or(text.substr(colon + 1), -1);
  if (pid >= 0 && tid >= 0) state_of(pid, tid);
}

void Reader::switch_record(const HeaderLine& header) {
  if (!header.time || header.tid == 0) return;
  track_of(header.pid, header.tid, header.command);
  if (header.record.find(" OUT") != std::string_view::npos) {
    goes_off(header.tid, *header.time, header.record.find("preempt") != std::string_view::npos);
  } else {
    comes_on(header.tid, *header.time);
  }
}

// "prev_comm=app prev_pid=7024 prev_prio=120 prev_state=S ==> next_comm=x next_pid=7032 ..."
void Reader::sched_switch(const HeaderLine& header) {
  if (!header.time) return;
  const std::string_view state = field(header.rest, "prev_state=");
  if (header.tid != 0 && !state.empty()) {
    track_of(header.pid, header.tid, header.command);
    goes_off(header.tid, *header.time, state.starts_with('R'));
  }
  const std::int64_t next = number_or(field(header.rest, "next_pid="), 0);
  if (next != 0) comes_on(next, *header.time);
}

void Reader::goes_off(std::int64_t tid, std::int64_t time, bool preempted) {
  ThreadState& state = threads_[tid];
  if (state.off) {
    // Switch records and the tracepoint tell of one switch twice, in this order or the other.
    if (time - state.off_since > 1000) ++counts_.unpaired;
    return;
  }
  state.off = true;
  state.preempted = preempted;
  state.off_since = time;
}

void Reader::comes_on(std::int64_t tid, std::int64_t time) {
  const auto it = threads_.find(tid);
  if (it == threads_.end() || !it->second.off) return;  // it ran before the recording began
  ThreadState& state = it->second;
  state.off = false;
  if (time < state.off_since) {
    ++counts_.unpaired;
    return;
  }
  model::SpanRow row;
  row.kind = model::SpanKind::kOffCpu;
  row.name = builder_.intern(state.preempted ? model::kOffCorePreempted : model::kOffCoreWaiting);
  row.track = builder_.thread_track(state.pid, tid);
  row.start = state.off_since;
  row.duration = time - state.off_since;
  builder_.add(row);
}

void Reader::finish(const std::string& input, std::int64_t cut_lines, bool truncated) {
  end_sample();
  model::Hygiene& h = builder_.hygiene();
  h.add("samples_lost", input, counts_.lost,
        "the kernel could not write these samples: record at a lower frequency (perf record -F) or "
        "with a larger buffer (-m)");
  h.add("sampling_throttled", input, counts_.throttled,
        "the kernel slowed sampling down: shares hold, but stretches of time have fewer samples");
  h.add("unresolved_samples", input, counts_.unresolved,
        "perf had no name for the innermost function: install debug symbols, or record where the "
        "binaries are");
  h.add("samples_without_time", input, counts_.no_time,
        "the time was not printed: they count over the whole recording (perf script -F +time)");
  h.add("samples_without_weight", input, counts_.no_weight,
        "the period was not printed: each sample counts as one (perf script -F +period)");
  h.add("samples_without_process", input, counts_.no_process,
        "only thread ids were printed: threads are told apart, processes are not (perf script -F "
        "+pid,+tid, or --show-task-events)");
  h.add("idle_samples", input, counts_.idle,
        "samples of the kernel's idle task, when a core had nothing to run, were left out");
  h.add("deep_stack", input, counts_.deep, "stacks were cut at 1024 frames, at their outer end");
  h.add("unpaired_switches", input, counts_.unpaired,
        "context switches without their other half were left out");
  h.add("unknown_records", input, counts_.unknown_records,
        "records of kinds that this version does not know were left out");
  h.add("unreadable_lines", input, counts_.unreadable,
        "lines that are neither sample, frame nor record were left out");
  h.add("long_lines", input, cut_lines, "lines beyond 1 MiB were cut there");
  if (truncated) {
    h.add("truncated_input", input, 1,
          "the compressed file ends early: what it held until there is read");
  }
  model::Provenance& from = builder_.profile().provenance;
  from.importer = "perf_script";
  from.tool = "perf";
  from.stacks_recorded = !builder_.profile().stacks.empty();
}

}  // namespace rooflab::importers::perf
