// SPDX-License-Identifier: Apache-2.0
#include "importers/xla/trace.h"

#include <simdjson.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "importers/json/whole_text.h"
#include "importers/xla/rows.h"
#include "importers/xla/time.h"

namespace rooflab::importers::xla {
namespace {

namespace dom = simdjson::dom;

// One event as it stands in the file; text lives as long as the parser.
struct Row {
  char phase = 0;
  std::int64_t pid = 0, tid = 0;
  std::optional<std::int64_t> time_ps;
  std::int64_t duration_ps = 0;
  std::string_view name, meta_name;
  Stats stats;
};

// Microseconds in picoseconds. As doubles they are exact to the picosecond for two hours, and XLA's
// times count from the start of the recording.
std::optional<std::int64_t> picoseconds(const dom::element& value) {
  constexpr double kMost = 9e12;  // 104 days: picoseconds then fill 63 bits
  double microseconds = 0;
  if (value.get(microseconds) != simdjson::SUCCESS) return std::nullopt;
  if (!(microseconds > -kMost && microseconds < kMost)) return std::nullopt;
  return std::llround(microseconds * 1e6);
}

std::int64_t integer(const dom::element& value) {
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::uint64_t bits = 0;
  if (value.get(bits) == simdjson::SUCCESS) return static_cast<std::int64_t>(bits);
  return 0;
}

void read_args(const dom::object& args, Row& row) {
  for (const auto& [key, value] : args) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
      if (key == "name") row.meta_name = text;
      row.stats.take(key, text);
    } else if (value.is_int64()) {
      row.stats.take(key, integer(value));
    }
  }
}

Row row_of(const dom::object& event) {
  Row row;
  for (const auto& [key, value] : event) {
    if (key == "ph" || key == "name") {
      std::string_view text;
      if (value.get(text) != simdjson::SUCCESS) continue;
      if (key == "name") row.name = text;
      if (key == "ph" && text.size() == 1) row.phase = text[0];
    } else if (key == "pid") {
      row.pid = integer(value);
    } else if (key == "tid") {
      row.tid = integer(value);
    } else if (key == "ts") {
      row.time_ps = picoseconds(value);
    } else if (key == "dur") {
      row.duration_ps = picoseconds(value).value_or(0);
    } else if (key == "args") {
      dom::object args;
      if (value.get(args) == simdjson::SUCCESS) read_args(args, row);
    }
  }
  return row;
}

class TraceReader {
 public:
  TraceReader(model::Builder& builder, const std::string& path)
      : builder_(builder), rows_(builder), path_(path) {}

  // Names of processes and threads, which may stand behind their events.
  void read_names(const Row& row) {
    if (row.phase != 'M') return;
    if (row.name == "process_name") {
      planes_[row.pid] = plane_name(row.meta_name);
      plane_texts_[row.pid] = row.meta_name;
    }
    if (row.name == "thread_name") lines_[{row.pid, row.tid}] = row.meta_name;
  }
  // Which devices have streams is known once all names are.
  void settle() {
    for (const auto& [key, line] : lines_)
      if (line_name(line).kind == LineKind::kStream) has_streams_[key.first] = true;
  }

  void read_event(const Row& row) {
    if (row.phase == 'M' || row.phase == 0) return;
    if (row.phase != 'X') {
      ++unsupported_;
      return;
    }
    const auto plane = planes_.find(row.pid);
    if (plane == planes_.end() || plane->second.kind == PlaneName::Kind::kOther) {
      ++other_;
      return;
    }
    const bool device = plane->second.kind == PlaneName::Kind::kDevice;
    if (!row.time_ps) {
      (device ? lost_work_ : lost_) += 1;
      return;
    }
    const std::string& line = lines_[{row.pid, row.tid}];
    Event e;
    e.name = row.name;
    e.start = nanoseconds(*row.time_ps);
    e.duration =
        saturating_add(nanoseconds(saturating_add(*row.time_ps, row.duration_ps)), -e.start);
    e.stats = row.stats;
    if (!device) {
      rows_.add_host(e, row.pid, row.tid);
      return;
    }
    const LineName name = line_name(line);
    if (name.kind == LineKind::kStream || (name.kind == LineKind::kOps && !has_streams_[row.pid])) {
      rows_.add_work(e, plane->second.device, name.stream, -1, line);
    } else if (name.kind == LineKind::kSteps) {
      rows_.add_device_range(e, plane_texts_[row.pid] + " " + line);
    }
  }

  void finish() {
    model::Hygiene& h = builder_.hygiene();
    h.add("dropped_work_no_time", path_, lost_work_,
          "device work without a readable time was left out", model::Claim::kCoverage);
    h.add("dropped_no_time", path_, lost_, "host events without a readable time were left out");
    h.add("unsupported_phase", path_, unsupported_, "events of a kind that XLA does not write");
    h.add("other_planes", path_, other_, "events of processes that are no device and no host");
    for (const auto& [key, line] : lines_) {
      const auto plane = planes_.find(key.first);
      if (plane == planes_.end() || plane->second.kind != PlaneName::Kind::kHost) continue;
      const model::ThreadId thread = builder_.thread(key.first, key.second);
      builder_.profile().threads[thread.row].name = builder_.intern(line);
    }
    rows_.finish(path_);
  }

 private:
  model::Builder& builder_;
  Rows rows_;
  const std::string& path_;
  std::map<std::int64_t, PlaneName> planes_;
  std::map<std::int64_t, std::string> plane_texts_;
  std::map<std::int64_t, bool> has_streams_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> lines_;
  std::int64_t unsupported_ = 0, other_ = 0, lost_ = 0, lost_work_ = 0;
};

template <class F>
void each_event(const dom::array& events, F&& f) {
  for (const dom::element element : events) {
    dom::object event;
    if (element.get(event) == simdjson::SUCCESS) f(row_of(event));
  }
}

}  // namespace

Result<bool> read_trace(std::string& text, const std::string& path, model::Builder& builder) {
  dom::parser parser;
  RL_TRY(const dom::element document, json::parse(parser, text, path, builder.hygiene()));
  dom::array events;
  if (document["traceEvents"].get(events) != simdjson::SUCCESS) return false;
  TraceReader reader(builder, path);
  each_event(events, [&](const Row& row) { reader.read_names(row); });
  reader.settle();
  each_event(events, [&](const Row& row) { reader.read_event(row); });
  reader.finish();
  return true;
}

}  // namespace rooflab::importers::xla
