// SPDX-License-Identifier: Apache-2.0
#include "importers/xla/xspace.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "importers/kineto/categories.h"
#include "importers/wire.h"
#include "importers/xla/rows.h"
#include "importers/xla/time.h"

namespace rooflab::importers::xla {
namespace {

using wire::Field;
using wire::Type;

// Nanoseconds at or above this are Unix times (2001 and later); below, they count from a start.
constexpr std::int64_t kUnixLowest = 1'000'000'000'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;
// Many events share one name: without a limit a small file could ask for much work.
constexpr std::size_t kMaxName = 16384;

// An XStat: a name by id and one value of some type.
struct Value {
  std::int64_t name = 0;
  std::string_view text;
  std::int64_t number = 0;
  std::int64_t reference = -1;
  bool is_text = false;
};

Value value_of(std::string_view bytes) {
  Value v;
  wire::each_field(bytes, [&](const Field& f) {
    if (f.is(1, Type::kVarint)) v.name = f.integer();
    if (f.is(3, Type::kVarint) || f.is(4, Type::kVarint)) v.number = f.integer();
    if (f.is(5, Type::kBytes) || f.is(6, Type::kBytes)) {
      v.text = f.bytes;
      v.is_text = true;
    }
    if (f.is(7, Type::kVarint)) v.reference = f.integer();
  });
  return v;
}

struct Named {
  std::string_view name;
  std::vector<std::string_view> values;  // XStats that all events of this name share
  Stats stats;                           // and what they say
};
using Names = std::unordered_map<std::int64_t, Named>;

// An entry of event_metadata or stat_metadata: id, and a message with a name.
void add_name(std::string_view entry, Names& names) {
  std::int64_t id = 0;
  Named named;
  wire::each_field(entry, [&](const Field& f) {
    if (f.is(1, Type::kVarint)) id = f.integer();
    if (!f.is(2, Type::kBytes)) return;
    wire::each_field(f.bytes, [&](const Field& g) {
      if (g.is(2, Type::kBytes)) named.name = g.bytes.substr(0, kMaxName);
      if (g.is(5, Type::kBytes)) named.values.push_back(g.bytes);
    });
  });
  names.insert_or_assign(id, std::move(named));
}

class PlaneReader {
 public:
  PlaneReader(model::Builder& builder, Rows& rows) : builder_(builder), rows_(rows) {}

  // The file's process, for planes that do not name theirs.
  std::int64_t pid = 0;
  std::int64_t epoch = 0;  // of the recording's start, from "Task Environment"
  std::int64_t counted_events = 0, damaged = 0, other_events = 0;
  std::int64_t unix_lines = 0, relative_lines = 0;
  std::int64_t earliest_unix = std::numeric_limits<std::int64_t>::max();

  void read(std::string_view plane) {
    events_.clear();
    stats_.clear();
    std::vector<std::string_view> lines, values;
    std::string_view name;
    const bool whole = wire::each_field(plane, [&](const Field& f) {
      if (f.is(2, Type::kBytes)) name = f.bytes;
      if (f.is(3, Type::kBytes)) lines.push_back(f.bytes);
      if (f.is(4, Type::kBytes)) add_name(f.bytes, events_);
      if (f.is(5, Type::kBytes)) add_name(f.bytes, stats_);
      if (f.is(6, Type::kBytes)) values.push_back(f.bytes);
    });
    damaged += whole ? 0 : 1;
    for (auto& [id, named] : events_) take(named.values, named.stats);
    plane_ = plane_name(name);
    plane_text_ = name;
    read_plane_values(values);
    // Streams are the device's work. Devices that have none give their operations instead.
    bool has_streams = false;
    std::vector<Line> read_lines;
    for (const std::string_view line : lines) {
      read_lines.push_back(line_of(line));
      has_streams = has_streams || read_lines.back().name.kind == LineKind::kStream;
    }
    for (const Line& line : read_lines) read_events(line, has_streams);
    describe_device(values);
  }

 private:
  struct Line {
    std::int64_t id = 0, start = 0;
    std::string_view text;
    LineName name;
    std::vector<std::string_view> events;
  };

  Line line_of(std::string_view bytes) {
    Line line;
    std::string_view display;
    const bool whole = wire::each_field(bytes, [&](const Field& f) {
      if (f.is(1, Type::kVarint)) line.id = f.integer();
      if (f.is(2, Type::kBytes)) line.text = f.bytes;
      if (f.is(3, Type::kVarint)) line.start = f.integer();
      if (f.is(4, Type::kBytes)) line.events.push_back(f.bytes);
      if (f.is(11, Type::kBytes)) display = f.bytes;
    });
    damaged += whole ? 0 : 1;
    if (line.text.empty()) line.text = display;
    line.name = line_name(line.text);
    if (!line.events.empty()) {
      const bool is_unix = line.start >= kUnixLowest;
      (is_unix ? unix_lines : relative_lines) += 1;
      if (is_unix) earliest_unix = std::min(earliest_unix, line.start);
    }
    return line;
  }

  std::string_view name_in(const Names& names, std::int64_t id) const {
    const auto it = names.find(id);
    return it == names.end() ? std::string_view() : it->second.name;
  }

  // f(name, value) for each; text by reference is looked up.
  template <class F>
  void each_value(const std::vector<std::string_view>& values, F&& f) const {
    for (const std::string_view bytes : values) {
      Value v = value_of(bytes);
      if (v.reference >= 0) {
        v.text = name_in(stats_, v.reference);
        v.is_text = true;
      }
      f(name_in(stats_, v.name), v);
    }
  }

  static std::int64_t number_of(const Value& v) {
    std::int64_t n = v.number;
    if (v.is_text) {
      n = 0;
      for (const char c : v.text.substr(0, 18)) {
        if (c < '0' || c > '9') break;
        n = n * 10 + (c - '0');
      }
    }
    return n;
  }

  void read_plane_values(const std::vector<std::string_view>& values) {
    auto& metadata = builder_.profile().provenance.metadata;
    const bool host = plane_text_ == "/host:metadata" || plane_.kind == PlaneName::Kind::kHost;
    each_value(values, [&](std::string_view name, const Value& v) {
      if (name == "process_id" && number_of(v) > 0) pid = number_of(v);
      if (plane_text_ == "Task Environment" && name == "profile_start_time") epoch = number_of(v);
      constexpr std::size_t kMaxText = 256;
      if (host && v.is_text && !name.empty() && v.text.size() <= kMaxText)
        metadata.emplace_back(std::string(name), std::string(v.text));
    });
  }

  void describe_device(const std::vector<std::string_view>& values) {
    model::Profile& p = builder_.profile();
    const auto it = std::find_if(p.devices.begin(), p.devices.end(), [&](const model::Device& d) {
      return plane_.kind == PlaneName::Kind::kDevice && d.index == plane_.device;
    });
    if (it == p.devices.end()) return;  // a device that did nothing
    model::Device& device = *it;
    each_value(values, [&](std::string_view name, const Value& v) {
      const std::int64_t n = number_of(v);
      const auto small = static_cast<std::int32_t>(std::clamp<std::int64_t>(n, -1, 1 << 30));
      if (name == "gpu_device_name") device.name = builder_.intern(v.text);
      if (name == "device_vendor") device.vendor = vendor_of(v.text);
      if (name == "core_count") device.multiprocessors = small;
      if (name == "memory_size") device.memory_bytes = n;
      if (name == "compute_cap_major") device.compute_major = small;
      if (name == "compute_cap_minor") device.compute_minor = small;
    });
  }

  static model::Vendor vendor_of(std::string_view text) {
    if (text == "Nvidia" || text == "NVIDIA") return model::Vendor::kNvidia;
    return kineto::vendor_of_device_name(text);
  }

  void read_events(const Line& line, bool has_streams) {
    const bool device = plane_.kind == PlaneName::Kind::kDevice;
    const bool work = device && (line.name.kind == LineKind::kStream ||
                                 (!has_streams && line.name.kind == LineKind::kOps));
    const bool steps = device && line.name.kind == LineKind::kSteps;
    const bool host = plane_.kind == PlaneName::Kind::kHost;
    if (!device && !host) {
      other_events += static_cast<std::int64_t>(line.events.size());
      return;
    }
    if (!work && !steps && !host) return;  // derived from the streams
    const std::string label = std::string(plane_text_) + " " + std::string(line.text);
    for (const std::string_view bytes : line.events) {
      const std::optional<Event> e = event_of(bytes, line.start);
      if (!e) {
        ++counted_events;
      } else if (work) {
        rows_.add_work(*e, plane_.device, line.name.stream, pid, line.text);
      } else if (steps) {
        rows_.add_device_range(*e, label);
      } else {
        rows_.add_host(*e, pid, line.id);
      }
    }
    if (host) {
      const model::ThreadId thread = builder_.thread(pid, line.id);
      builder_.profile().threads[thread.row].name = builder_.intern(line.text);
    }
  }

  // Nothing if the event only counts how often something ran.
  std::optional<Event> event_of(std::string_view bytes, std::int64_t line_start) {
    std::int64_t metadata = 0, offset = 0, duration = 0;
    bool timed = true;
    values_.clear();
    const bool whole = wire::each_field(bytes, [&](const Field& f) {
      if (f.is(1, Type::kVarint)) metadata = f.integer();
      if (f.is(2, Type::kVarint)) offset = f.integer();
      if (f.is(3, Type::kVarint)) duration = f.integer();
      if (f.is(4, Type::kBytes)) values_.push_back(f.bytes);
      if (f.is(5, Type::kVarint)) timed = false;
    });
    damaged += whole ? 0 : 1;
    if (!timed) return std::nullopt;
    Event e;
    const auto named = events_.find(metadata);
    if (named != events_.end()) {
      e.name = named->second.name;
      e.stats = named->second.stats;
    }
    take(values_, e.stats);
    const std::int64_t begin = nanoseconds(offset);
    const std::int64_t end = nanoseconds(saturating_add(offset, duration));
    e.start = saturating_add(line_start, begin);
    e.duration = saturating_add(end, -begin);
    return e;
  }

  void take(const std::vector<std::string_view>& values, Stats& stats) const {
    each_value(values, [&](std::string_view name, const Value& v) {
      if (v.is_text) {
        stats.take(name, v.text);
      } else {
        stats.take(name, v.number);
      }
    });
  }

  model::Builder& builder_;
  Rows& rows_;
  Names events_, stats_;
  PlaneName plane_;
  std::string_view plane_text_;
  std::vector<std::string_view> values_;
};

void settle_clock(const PlaneReader& planes, const std::string& path, model::Builder& builder) {
  model::Provenance& from = builder.profile().provenance;
  if (planes.unix_lines == 0) {
    from.epoch_ns = planes.epoch >= kUnixLowest ? planes.epoch : 0;
    return;
  }
  from.epoch_ns = planes.earliest_unix - planes.earliest_unix % kMillisecond;
  builder.shift_times(-from.epoch_ns);
  builder.hygiene().add("mixed_clocks", path, planes.relative_lines,
                        "some lines count from 1970 and some from the start of the recording; "
                        "their events cannot be compared",
                        model::Claim::kTimes);
}

}  // namespace

bool begins_like_xspace(std::string_view head) {
  bool found = false, first = true;
  wire::each_field(head, [&](const Field& f) {
    if (!first || !f.is(1, Type::kBytes)) {
      first = false;
      return;
    }
    first = false;
    wire::each_field(f.bytes, [&](const Field& g) {
      if (!g.is(2, Type::kBytes)) return;
      found = found || g.bytes.starts_with("/host:") || g.bytes.starts_with("/device:") ||
              g.bytes == "Task Environment" || g.bytes.starts_with("#Chip");
    });
  });
  return found;
}

bool read_xspace(std::string_view bytes, const std::string& path, model::Builder& builder) {
  Rows rows(builder);
  PlaneReader planes(builder, rows);
  std::vector<std::string_view> found;
  std::vector<std::string> complaints;
  const bool whole = wire::each_field(bytes, [&](const Field& f) {
    if (f.is(1, Type::kBytes)) found.push_back(f.bytes);
    constexpr std::size_t kMaxText = 256;
    if (f.is(2, Type::kBytes) || f.is(3, Type::kBytes))
      complaints.emplace_back(f.bytes.substr(0, kMaxText));
  });
  if (found.empty()) return false;
  for (const std::string_view plane : found) planes.read(plane);
  settle_clock(planes, path, builder);
  model::Hygiene& h = builder.hygiene();
  h.add("truncated_input", path, whole ? 0 : 1,
        "the file ends inside a plane; what stood after it is missing", model::Claim::kCoverage);
  h.add("damaged_message", path,
        whole ? planes.damaged : std::max<std::int64_t>(planes.damaged - 1, 0),
        "messages that do not end where they say; what stands behind the damage is missing",
        model::Claim::kCoverage);
  h.add("events_without_time", path, planes.counted_events,
        "events that only count how often something ran; they were left out");
  for (const std::string& text : complaints)
    h.add("recorder_warning", path, 1, "the recorder says: " + text);
  rows.finish(path);
  return true;
}

}  // namespace rooflab::importers::xla
