// SPDX-License-Identifier: Apache-2.0
// What one chunk of events becomes: rows whose handles count within the chunk. A worker fills it
// without locks; merge.h adds chunks to the model in file order and maps the handles, so that the
// result does not depend on the number of threads or where the chunks were cut.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "importers/kineto/notes.h"
#include "importers/kineto/text.h"
#include "model/builder.h"

namespace rooflab::importers::kineto {

// Find-or-add over a few thousand texts: ids in order of first use. Views into the chunk's buffer
// are kept as they are; only escaped or raw text is copied, once per distinct spelling.
class LocalStrings {
 public:
  LocalStrings();
  [[nodiscard]] StringId intern(const Text& text, Notes& notes);
  [[nodiscard]] StringId intern(std::string_view text);  // `text` must live as long as the chunk
  [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }
  [[nodiscard]] std::string_view keep(std::string text);
  void clear();

 private:
  std::uint32_t find_or_add(std::string_view spelling, bool raw_json, bool& added);
  [[nodiscard]] std::string_view plain_form(const Text& text, Notes& notes);
  void grow();

  std::vector<std::string_view> spellings_, texts_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
  TextArena arena_;
};

// Find-or-add over small rows, by value.
template <class Row>
class LocalTable {
 public:
  [[nodiscard]] std::uint32_t find_or_add(const Row& row, std::uint64_t hash) {
    if (rows_.size() * 2 >= slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      std::uint32_t& at = slots_[slot];
      if (at == kFree) {
        at = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(row);
        hashes_.push_back(hash);
        return at;
      }
      if (hashes_[at] == hash && rows_[at] == row) return at;
    }
  }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  void clear() {
    rows_.clear();
    hashes_.clear();
    slots_.assign(slots_.size(), kFree);
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kFree);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      std::size_t slot = hashes_[i] & mask;
      while (slots_[slot] != kFree) slot = (slot + 1) & mask;
      slots_[slot] = i;
    }
  }
  std::vector<Row> rows_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

enum class LocalTrackKind : std::uint8_t { kThread, kStream, kOther };
struct LocalTrack {
  LocalTrackKind kind = LocalTrackKind::kThread;
  std::int64_t first = 0, second = 0;  // pid and tid, or device and stream
  StringId name;                       // kOther
  bool operator==(const LocalTrack&) const = default;
};

struct FlowRow {
  std::int64_t id = 0, time = 0;
  model::TrackId track;
  bool is_start = false;
};
struct MemoryRow {
  std::int64_t time = 0;
  model::TrackId track;
  model::MemoryDevice device_type = model::MemoryDevice::kHost;
  std::int32_t device_index = -1;
  std::int64_t bytes = 0;
  std::uint64_t address = 0;
  std::int64_t allocated = -1, reserved = -1;
};
struct PointRow {  // instants and counters
  std::int64_t time = 0;
  model::TrackId track;
  StringId name;
  double value = 0;
};
enum class MetaKind : std::uint8_t { kProcessName, kProcessLabels, kThreadName };
struct MetaRow {
  MetaKind kind = MetaKind::kProcessName;
  std::int64_t pid = 0, tid = 0;
  StringId text;
};
// What a HIP call says about the work it launched, and the work's own record does not or says
// wrong.
struct CallFacts {
  std::int64_t correlation = -1;
  model::LaunchConfig config;
  bool grid_in_work_items = false;
  model::CopyDirection direction = model::CopyDirection::kUnknown;
  std::int64_t bytes = -1;
};

struct ChunkRows {
  LocalStrings strings;
  LocalTable<LocalTrack> tracks;
  LocalTable<model::OpArgs> args;
  LocalTable<model::LaunchConfig> configs;
  LocalTable<model::Collective> collectives;
  std::vector<model::SpanRow> spans;
  std::vector<model::WorkRow> works;
  // Rows whose only id is "External id" (ROCm before 5.7 writes the correlation there).
  std::vector<std::uint32_t> spans_without_correlation, works_without_correlation;
  std::vector<model::SpanRow> python_without_thread;
  std::vector<FlowRow> flows;
  std::vector<MemoryRow> memory;
  std::vector<PointRow> instants, counters;
  std::vector<MetaRow> metas;
  std::vector<CallFacts> calls;
  Notes notes;
  std::int64_t events = 0;
  std::int64_t first_time = 0;  // of the first event with a time that is not 0
  bool any_correlation = false;
  bool has_end_marker = false;  // "Record Window End", the last event Kineto writes
  model::Vendor call_vendor = model::Vendor::kUnknown;
  std::vector<std::pair<std::int64_t, model::Vendor>> device_vendors;

  void clear();
};

}  // namespace rooflab::importers::kineto
