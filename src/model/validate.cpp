// SPDX-License-Identifier: Apache-2.0
#include "model/validate.h"

#include <type_traits>

#include "model/columns.h"
#include "model/fields.h"

namespace rooflab::model {
namespace {

template <class T>
struct LastOf;
template <>
struct LastOf<Vendor> {
  static constexpr Vendor kValue = Vendor::kOther;
};
template <>
struct LastOf<TrackKind> {
  static constexpr TrackKind kValue = TrackKind::kOther;
};
template <>
struct LastOf<SpanKind> {
  static constexpr SpanKind kValue = SpanKind::kOffCpu;
};
template <>
struct LastOf<WorkKind> {
  static constexpr WorkKind kValue = WorkKind::kMemset;
};
template <>
struct LastOf<CopyDirection> {
  static constexpr CopyDirection kValue = CopyDirection::kUnknown;
};
template <>
struct LastOf<MemoryKind> {
  static constexpr MemoryKind kValue = MemoryKind::kArray;
};
template <>
struct LastOf<MemoryDevice> {
  static constexpr MemoryDevice kValue = MemoryDevice::kDevice;
};

// Checks each value by its type alone: enumerators exist, handles are invalid or in range.
class Checker {
 public:
  explicit Checker(const Profile& p) : p_(p) {}

  template <class Row>
  void rows(const char* table, const std::vector<Row>& rows) {
    for_each_field<Row>([&](const char* field_name, auto field) {
      for (std::size_t i = 0; i < rows.size() && status_; ++i)
        if (!holds(std::invoke(field, rows[i]))) stop(table, field_name, i);
    });
  }

  template <class Row>
  void row(const char*, const Row&) {}  // numbers, flags and text: every value is allowed

  template <class Table>
  void columns(const char* table, const Table& columns) {
    for_each_column(columns, [&](std::string_view name, const auto& column) {
      if (column.size() != columns.size()) return stop(table, name, column.size());
      for (std::size_t i = 0; i < column.size() && status_; ++i)
        if (!holds(column[i])) stop(table, name, i);
    });
  }

  void require(bool condition, const char* table, std::string_view column, std::size_t row) {
    if (!condition) stop(table, column, row);
  }
  [[nodiscard]] bool ok() const { return status_.has_value(); }
  [[nodiscard]] Result<void> status() && { return std::move(status_); }

 private:
  template <class T>
  [[nodiscard]] bool holds(const T& value) const {
    if constexpr (std::is_enum_v<T>) {
      return value <= LastOf<T>::kValue;
    } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
      return !value.valid() || value.row < size_of(value);
    } else {
      return true;
    }
  }

  [[nodiscard]] std::size_t size_of(StringId) const { return p_.strings.size(); }
  [[nodiscard]] std::size_t size_of(ProcessId) const { return p_.processes.size(); }
  [[nodiscard]] std::size_t size_of(ThreadId) const { return p_.threads.size(); }
  [[nodiscard]] std::size_t size_of(DeviceId) const { return p_.devices.size(); }
  [[nodiscard]] std::size_t size_of(TrackId) const { return p_.tracks.size(); }
  [[nodiscard]] std::size_t size_of(SpanId) const { return p_.spans.size(); }
  [[nodiscard]] std::size_t size_of(ArgsId) const { return p_.op_args.size(); }
  [[nodiscard]] std::size_t size_of(LaunchConfigId) const { return p_.launch_configs.size(); }
  [[nodiscard]] std::size_t size_of(CollectiveId) const { return p_.collectives.size(); }
  [[nodiscard]] std::size_t size_of(StackId) const { return p_.stacks.size(); }
  [[nodiscard]] std::size_t size_of(MeasuredId) const { return p_.measured.size(); }
  [[nodiscard]] std::size_t size_of(WorkId) const { return p_.work.size(); }

  void stop(const char* table, std::string_view column, std::size_t row) {
    if (!status_) return;
    status_ = fail(ErrorCode::kUnreadable,
                   std::string(table) + "." + std::string(column) + " row " + std::to_string(row) +
                       " breaks the model's rules",
                   {}, "the file is damaged: import the original again");
  }

  const Profile& p_;
  Result<void> status_;
};

void check_tracks(const Profile& p, Checker& check) {
  for (std::size_t i = 0; i < p.tracks.size(); ++i) {
    const Track& track = p.tracks[i];
    check.require(track.kind != TrackKind::kThread || track.thread.valid(), "tracks", "thread", i);
    check.require(track.kind != TrackKind::kStream || track.device.valid(), "tracks", "device", i);
  }
}

bool within_limit(std::int64_t start, std::int64_t duration) {
  return start >= -kTimeLimit && start <= kTimeLimit && duration >= 0 && duration <= kTimeLimit;
}

// By (track, start, longer first), every track valid.
void check_spans(const Profile& p, Checker& check) {
  const SpanTable& t = p.spans;
  for (std::size_t i = 0; i < t.size() && check.ok(); ++i) {
    check.require(t.track[i].valid(), "spans", "track", i);
    check.require(within_limit(t.start[i], t.duration[i]), "spans", "duration", i);
    if (i == 0 || t.track[i] != t.track[i - 1]) {
      check.require(i == 0 || t.track[i - 1] < t.track[i], "spans", "track", i);
    } else {
      const bool ordered = t.start[i - 1] < t.start[i] ||
                           (t.start[i - 1] == t.start[i] && t.duration[i - 1] >= t.duration[i]);
      check.require(ordered, "spans", "start", i);
    }
  }
}

// By (track, start); every track is a stream.
void check_work(const Profile& p, Checker& check) {
  const WorkTable& t = p.work;
  for (std::size_t i = 0; i < t.size() && check.ok(); ++i) {
    const bool on_stream =
        t.track[i].valid() && p.tracks[t.track[i].row].kind == TrackKind::kStream;
    check.require(on_stream, "work", "track", i);
    check.require(within_limit(t.start[i], t.duration[i]), "work", "duration", i);
    if (i == 0 || t.track[i] != t.track[i - 1]) {
      check.require(i == 0 || t.track[i - 1] < t.track[i], "work", "track", i);
    } else {
      check.require(t.start[i - 1] <= t.start[i], "work", "start", i);
    }
  }
}

// A caller stands before its frames, so that walking up a stack ends.
void check_stacks(const Profile& p, Checker& check) {
  for (std::size_t i = 0; i < p.stacks.size() && check.ok(); ++i) {
    const StackId caller = p.stacks[i].caller;
    check.require(!caller.valid() || caller.row < i, "stacks", "caller", i);
  }
}

// By launch, every launch valid.
void check_metrics(const Profile& p, Checker& check) {
  const MetricTable& t = p.metrics;
  for (std::size_t i = 0; i < t.size() && check.ok(); ++i) {
    const bool ordered = i == 0 || t.launch[i - 1].row <= t.launch[i].row;
    check.require(t.launch[i].valid() && ordered, "metrics", "launch", i);
  }
}

}  // namespace

Result<void> validate(const Profile& profile) {
  Checker check(profile);
  for_each_table(profile, check);
  if (check.ok()) check_tracks(profile, check);
  if (check.ok()) check_spans(profile, check);
  if (check.ok()) check_work(profile, check);
  if (check.ok()) check_stacks(profile, check);
  if (check.ok()) check_metrics(profile, check);
  for (std::size_t i = 0; i < profile.forward_backward.size() && check.ok(); ++i) {
    const ForwardBackward& link = profile.forward_backward[i];
    check.require(link.forward.valid() && link.backward.valid(), "forward_backward", "forward", i);
  }
  return std::move(check).status();
}

}  // namespace rooflab::model
