// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/reader.h"

#include <algorithm>
#include <limits>

namespace rooflab::importers::nsys {

Result<model::Profile> read_database(Database database, const std::string& path) {
  for (const std::string_view table :
       {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "OSRT_API",
        "COMPOSITE_EVENTS", "SCHED_EVENTS", "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "ENUM_NSYS_EVENT_TYPE",
        "TARGET_INFO_SESSION_START_TIME"}) {
    if (database.has_table(table)) return Reader(std::move(database), path).read();
  }
  return fail(ErrorCode::kUnreadable,
              "this is a SQLite database, but none that Nsight Systems exports", path,
              "rooflab reads what `nsys export --type sqlite` writes");
}

std::int64_t Reader::Times::length() const {
  std::int64_t out = 0;
  if (!__builtin_sub_overflow(end, start, &out)) return out;
  return end > start ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
}

Reader::Reader(Database database, const std::string& path)
    : db_(std::move(database)),
      builder_(path),
      path_(path),
      strings_(db_, builder_, tally_),
      kinds_(db_, tally_) {}

// Threads follow each other in runs: most rows ask for the one before.
model::TrackId Reader::thread(std::int64_t global_tid) {
  if (last_thread_track_.valid() && global_tid == last_thread_) return last_thread_track_;
  model::TrackId& track = threads_[global_tid];
  if (!track.valid()) {
    track = builder_.thread_track(process_key(global_tid), tid_of(global_tid));
  }
  last_thread_ = global_tid;
  last_thread_track_ = track;
  return track;
}

bool Reader::usable(Query& rows, std::string_view table, bool device_work) {
  if (!db_.has_table(table)) return false;
  read_tables_.emplace(table);
  if (rows.has(0) && rows.has(1)) return true;
  if (db_.holds_rows(std::string(table))) {
    tally_.add(device_work ? Note::kUnusableWorkTable : Note::kUnusableHostTable, table);
  }
  return false;
}

bool Reader::times_of(Query& rows, bool device_work, Times& out) {
  const auto start = rows.integer(0);
  const auto end = rows.integer(1);
  if (!start || !end) {
    tally_.add(device_work ? Note::kDroppedWorkNoTime : Note::kDroppedNoTime);
    return false;
  }
  out = {*start, *end};
  return true;
}

void Reader::check_end(const Query& rows, std::string_view table, bool device_work) {
  if (!rows.damaged()) return;
  tally_.add(device_work ? Note::kDamagedWorkTable : Note::kDamagedHostTable, table);
}

void Reader::add_span(const Times& times, model::SpanRow row) {
  row.start = times.start;
  row.duration = times.length();
  last_time_ = std::max(last_time_, times.end);
  builder_.add(row);
}

Result<model::Profile> Reader::read() && {
  map_devices();
  read_kernels();
  read_copies();
  read_sets();
  read_graphs();
  read_calls();
  read_syncs();
  read_overhead("CUPTI_ACTIVITY_KIND_OVERHEAD");
  read_overhead("PROFILER_OVERHEAD");
  read_ranges();
  read_os_calls();
  read_samples();
  read_scheduler();  // of the threads seen so far
  close_ranges();
  name_threads();
  describe_devices();
  describe_session();
  name_processes();  // last: until then a process's number holds its machine too
  note_contents();
  tally_.report(path_, builder_.hygiene());
  return std::move(builder_).build();
}

}  // namespace rooflab::importers::nsys
