// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/chunk.h"

#include <utility>

#include "importers/kineto/event_parser.h"
#include "importers/kineto/repair.h"
#include "importers/kineto/row_maker.h"
#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

// Reads the events of one chunk from left to right.
class ChunkReader {
 public:
  explicit ChunkReader(Chunk& chunk)
      : chunk_(chunk), begin_(chunk.data.data()), p_(begin_), end_(begin_ + chunk.size) {}

  void run() {
    bool comma_due = !chunk_.first && !chunk_.uncertain;
    bool after_comma = false;
    for (;;) {
      p_ = skip_space(p_);
      if (p_ >= end_) break;
      if (*p_ == ',') {
        if (!comma_due) note(Note::kTrailingComma);
        comma_due = false;
        after_comma = true;
        ++p_;
        continue;
      }
      if (*p_ == ']' && chunk_.input_ends && array_ends_here()) {
        chunk_.array_end = static_cast<std::size_t>(p_ - begin_);
        break;
      }
      if (comma_due) note(Note::kMissingComma);
      comma_due = one_event();
      after_comma = false;
    }
    if (chunk_.last && after_comma) note(Note::kTrailingComma);
  }

 private:
  [[nodiscard]] std::int64_t offset() const { return chunk_.offset + (p_ - begin_); }
  void note(Note n) { chunk_.rows.notes.add(n, offset()); }

  // Damage can hide the array's end from the splitter. It is one if the document goes on after it.
  [[nodiscard]] bool array_ends_here() const {
    const char* q = skip_space(p_ + 1);
    if (q >= end_ || *q == '}') return true;
    return *q == ',' && *skip_space(q + 1) == '"';
  }

  // False if text was left out, commas perhaps with it.
  bool one_event() {
    if (*p_ == '{') {
      const char* const next = parse_event(p_, event_);
      if (next != nullptr && next <= end_) {
        add_event(event_, offset(), chunk_.rows);
        p_ = next;
        return true;
      }
      if (mend()) return true;
    }
    drop();
    return false;
  }

  // The damaged event reaches at most to where the next one seems to begin.
  bool mend() {
    const char* const limit = find_event_start(begin_, p_ + 1, end_);
    const bool cut = limit == end_ && chunk_.input_ends;
    const std::string_view damaged(p_, static_cast<std::size_t>(limit - p_));
    Repair repair = repair_object(damaged, !cut);
    if (!repair.ok) return false;
    // Rows keep views into the event's text, so the mended text lives as long as the chunk.
    const std::string_view json = chunk_.rows.strings.keep(std::move(repair.json));
    if (parse_event(json.data(), event_) == nullptr || !event_.has(Field::kPhase)) return false;
    // Lost with the damage: it may have been anything.
    if (event_.phase == 'X' && !event_.has(Field::kCategory)) return false;
    chunk_.rows.notes.merge(repair.notes);
    note(Note::kRepairedEvent);
    add_event(event_, offset(), chunk_.rows);
    p_ += repair.used;
    return true;
  }

  void drop() {
    const char* next = find_event_start(begin_, p_ + 1, end_);
    if (next == end_ && chunk_.input_ends) {
      chunk_.ends_inside = true;
      p_ = end_;
      return;
    }
    const std::string_view fragment(p_, static_cast<std::size_t>(next - p_));
    note(may_be_device_work(fragment) ? Note::kDroppedDeviceWork : Note::kDroppedUnparsable);
    p_ = next;
  }

  Chunk& chunk_;
  const char* begin_;
  const char* p_;
  const char* end_;
  Event event_;
};

}  // namespace

void parse_chunk(Chunk& chunk) { ChunkReader(chunk).run(); }

}  // namespace rooflab::importers::kineto
