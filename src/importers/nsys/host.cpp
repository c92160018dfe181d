// SPDX-License-Identifier: Apache-2.0
// What the host did: calls of the runtime and driver, waits, the recorder's own work, blocking
// calls of the operating system, and when the scheduler took a thread off its core.
#include <unordered_map>

#include "importers/nsys/reader.h"

namespace rooflab::importers::nsys {
namespace {

using model::SpanKind;

struct Call {
  StringId name;
  bool runtime = false;
};

// eventClass in the tables of calls (ENUM_NSYS_EVENT_CLASS).
constexpr std::int64_t kRuntimeClass = 0, kDriverClass = 1;
// eventClass 31 and 32 in OSRT_API mark where the recorder began and ended.
constexpr std::int64_t kOsCallClass = 27;

// Not the recorder's work: the driver waits until the device has taken launches off a full queue.
constexpr std::string_view kQueueFull = "Command Buffer Full";

// By syncType, as PyTorch's traces name them (CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_*).
std::string_view sync_name(std::int64_t type) {
  switch (type) {
    case 1:
      return "Event Sync";
    case 2:
      return "Stream Wait Event";
    case 3:
      return "Stream Sync";
    case 4:
      return "Context Sync";
    default:
      return "Sync";
  }
}

}  // namespace

void Reader::read_calls() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
  enum : std::size_t { kThread = 2, kClass, kCorrelation, kName };
  Query rows(db_, kTable, {"start", "end", "globalTid", "eventClass", "correlationId", "nameId"},
             tally_);
  if (!usable(rows, kTable, false)) return;
  std::unordered_map<std::int64_t, Call> calls;
  const auto call_of = [&]() -> Call {
    const auto id = rows.integer(kName);
    if (!id || !strings_.has(*id)) {
      tally_.add(Note::kMissingString);
      return {builder_.intern(kNameMissing), true};
    }
    const auto [it, added] = calls.try_emplace(*id);
    if (added) {
      const std::string_view name = call_name(strings_.view(*id));
      it->second = {strings_.intern(name), name.starts_with("cuda")};
    }
    return it->second;
  };
  while (rows.next()) {
    Times times;
    if (!times_of(rows, false, times)) continue;
    const Call call = call_of();
    const std::int64_t by_name = call.runtime ? kRuntimeClass : kDriverClass;
    model::SpanRow row;
    row.kind = rows.integer_or(kClass, by_name) == kRuntimeClass ? SpanKind::kRuntimeCall
                                                                 : SpanKind::kDriverCall;
    row.name = call.name;
    row.track = thread(rows.integer_or(kThread, 0));
    row.correlation = rows.integer_or(kCorrelation, -1);
    add_span(times, row);
  }
  check_end(rows, kTable, false);
}

// Waits of the device's side. Their deviceId is the process's current device, not the stream's: the
// context tells.
void Reader::read_syncs() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  enum : std::size_t { kDevice = 2, kContext, kStream, kCorrelation, kProcess, kType };
  Query rows(db_, kTable,
             {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
              "syncType"},
             tally_);
  if (!usable(rows, kTable, false)) return;
  while (rows.next()) {
    Times times;
    if (!times_of(rows, false, times)) continue;
    const auto global_pid = rows.integer(kProcess);
    const std::int64_t key = global_pid ? process_key(*global_pid) : -1;
    const auto known = context_device_.find({key, rows.integer_or(kContext, -1)});
    const std::int64_t device = known != context_device_.end()
                                    ? known->second
                                    : device_index(key, rows.integer_or(kDevice, 0));
    const std::int64_t stream = rows.integer_or(kStream, kNoStream);
    model::SpanRow row;
    row.kind = SpanKind::kSync;
    row.name = builder_.intern(sync_name(rows.integer_or(kType, 0)));
    row.track = builder_.stream_track(device, stream == kNoStream ? -1 : stream, key);
    row.correlation = rows.integer_or(kCorrelation, -1);
    add_span(times, row);
  }
  check_end(rows, kTable, false);
}

void Reader::read_overhead(std::string_view table) {
  enum : std::size_t { kThread = 2, kName };
  Query rows(db_, table, {"start", "end", "globalTid", "nameId"}, tally_);
  if (!usable(rows, table, false)) return;
  while (rows.next()) {
    Times times;
    if (!times_of(rows, false, times)) continue;
    model::SpanRow row;
    row.name = strings_.intern(rows.integer_or(kName, -1));
    row.kind =
        builder_.profile().text(row.name) == kQueueFull ? SpanKind::kOther : SpanKind::kOverhead;
    row.track = thread(rows.integer_or(kThread, 0));
    add_span(times, row);
  }
  check_end(rows, table, false);
}

void Reader::read_os_calls() {
  constexpr std::string_view kTable = "OSRT_API";
  enum : std::size_t { kThread = 2, kClass, kName };
  Query rows(db_, kTable, {"start", "end", "globalTid", "eventClass", "nameId"}, tally_);
  if (!usable(rows, kTable, false)) return;
  while (rows.next()) {
    if (rows.integer_or(kClass, kOsCallClass) != kOsCallClass) continue;
    Times times;
    if (!times_of(rows, false, times)) continue;
    model::SpanRow row;
    row.kind = SpanKind::kOsCall;
    row.name = strings_.intern(rows.integer_or(kName, -1));
    row.track = thread(rows.integer_or(kThread, 0));
    add_span(times, row);
  }
  check_end(rows, kTable, false);
}

// A thread is off its core from each event that took it off to the next that put it on. Only
// threads that did something else here are of interest: the table holds every process of the
// machine.
void Reader::read_scheduler() {
  constexpr std::string_view kTable = "SCHED_EVENTS";
  enum : std::size_t { kThread = 1, kIn };
  Query rows(db_, kTable, {"start", "globalTid", "isSchedIn"}, tally_);
  if (!db_.has_table(kTable)) return;
  read_tables_.emplace(kTable);
  if (!rows.has(0) || !rows.has(kThread) || !rows.has(kIn)) {
    if (db_.holds_rows(std::string(kTable))) tally_.add(Note::kUnusableHostTable, kTable);
    return;
  }
  const StringId name = builder_.intern("off CPU");
  std::unordered_map<std::int64_t, std::int64_t> off_since;
  while (rows.next()) {
    const auto time = rows.integer(0);
    const auto global_tid = rows.integer(kThread);
    if (!time || !global_tid) {
      tally_.add(Note::kDroppedNoTime);
      continue;
    }
    if (threads_.find(*global_tid) == threads_.end()) continue;
    if (rows.integer_or(kIn, 0) == 0) {
      if (!off_since.emplace(*global_tid, *time).second) tally_.add(Note::kSchedulerUnpaired);
      continue;
    }
    const auto since = off_since.find(*global_tid);
    if (since == off_since.end()) continue;  // it ran before the recording began
    model::SpanRow row;
    row.kind = SpanKind::kOffCpu;
    row.name = name;
    row.track = thread(*global_tid);
    add_span({since->second, *time}, row);
    off_since.erase(since);
  }
  check_end(rows, kTable, false);
}

}  // namespace rooflab::importers::nsys
