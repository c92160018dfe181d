// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/document.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "importers/kineto/repair.h"
#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::size_t kPiece = std::size_t{128} << 10U;   // larger reads cost page faults
constexpr std::size_t kChunk = std::size_t{1} << 20U;     // stays in the second-level cache
constexpr std::size_t kMaxEvent = std::size_t{8} << 20U;  // no boundary for so long: a lost place
constexpr std::size_t kMaxHeaderText = std::size_t{1} << 20U;
constexpr std::size_t kMaxHeaderBytes = std::size_t{16} << 20U;
// Each array of events costs a copy of what was read ahead; a trace has one.
constexpr int kMaxArrays = 4096;
constexpr std::size_t kMaxKey = 4096;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kEvents = "traceEvents\"";

// Where to cut a chunk whose boundaries are lost: at an event near its end, so that every cut makes
// headway; the parser finds its way inside a chunk by itself. chunk.size if there is no event.
std::size_t find_cut(const Chunk& chunk, std::size_t lost_from) {
  const char* const data = chunk.data.data();
  const char* const end = data + chunk.size;
  const char* const late = data + std::max(lost_from, chunk.size - kPiece);
  const char* found = find_event_start(data, late, end);
  if (found == end) found = find_event_start(data, data + lost_from, end);
  return static_cast<std::size_t>(found - data);
}

// The bracket that the splitter took for the array's end closes something: an event, an empty
// array, or follows a trailing comma. Anything else is text in damaged quotes.
bool plausible_end(const Chunk& chunk, std::size_t end) {
  if (chunk.data[end] != ']') return false;
  std::size_t i = end;
  while (i > 0 && is_space(chunk.data[i - 1])) --i;
  if (i == 0) return true;  // what stands before was cut off behind an event
  return chunk.data[i - 1] == '}' || chunk.data[i - 1] == ',';
}

}  // namespace

bool DocumentReader::fill() {
  if (input_ended_) return false;
  const std::size_t before = window_.size();
  window_.resize(before + kPiece);
  Result<std::size_t> got = source_.read(std::span<char>(window_.data() + before, kPiece));
  window_.resize(before + (got ? *got : 0));
  if (!got) {
    failed_ = true;
    error_ = std::move(got.error());
  }
  input_ended_ = !got || *got == 0;
  if (got) bytes_ += static_cast<std::int64_t>(*got);
  return !input_ended_;
}

void DocumentReader::take(std::size_t bytes) {
  at_ += bytes;
  // Text up to the last key is kept for recovery, within bounds.
  if (at_ < kMaxEvent) return;
  window_.erase(0, at_);
  window_offset_ += static_cast<std::int64_t>(at_);
  at_ = 0;
  mark_ = 0;
}

char DocumentReader::peek() {
  for (;;) {
    while (at_ < window_.size() && is_space(window_[at_])) take(1);
    if (at_ < window_.size()) return window_[at_];
    if (!fill()) return '\0';
  }
}

Result<void> DocumentReader::run() {
  while (window_.size() < kByteOrderMark.size() && fill()) {
  }
  if (std::string_view(window_).substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    notes_.add(Note::kByteOrderMark, 0);
    take(kByteOrderMark.size());
  }
  for (int documents = 0; peek() != '\0' || at_ < window_.size(); ++documents) {
    const char c = window_[at_];
    if (c == '{' || c == '[') {
      if (arrays_ >= kMaxArrays) break;
      if (documents > 0)
        notes_.add(Note::kConcatenated, window_offset_ + static_cast<std::int64_t>(at_));
      found_json_ = true;
      take(1);
      if (c == '{') {
        read_object();
      } else {
        read_events();
      }
    } else if (found_json_) {
      notes_.add(Note::kTrailingGarbage, window_offset_ + static_cast<std::int64_t>(at_));
      mark_ = at_;
      if (recover() && !ended_in_events_) read_object();
    } else {
      break;  // no JSON
    }
  }
  if (arrays_ >= kMaxArrays) {
    notes_.add(Note::kDroppedDeviceWork, window_offset_ + static_cast<std::int64_t>(at_));
  }
  pipeline_.drain();
  if (failed_) return tl::unexpected<Error>(std::move(error_));
  return {};
}

void DocumentReader::read_object() {
  std::string key;
  std::string value;
  for (;;) {
    const char c = peek();
    if (c == '\0' && at_ >= window_.size()) {
      ended_in_object_ = true;
      return;
    }
    if (c == '}') {
      take(1);
      return;
    }
    if (c == ',') {
      take(1);
      continue;
    }
    mark_ = at_;
    if (c != '"' || !read_key(key)) {
      if (mend_object()) continue;
      return;
    }
    if (key == "traceEvents" && peek() == '[' && arrays_ < kMaxArrays) {
      take(1);
      read_events();
      if (ended_in_events_) return;
      continue;
    }
    if (!read_value(value)) {
      if (mend_object()) continue;
      return;
    }
    header_bytes_ += key.size() + value.size();
    if (header_bytes_ <= kMaxHeaderBytes) header_.emplace_back(key, value);
  }
}

// After a member that cannot be read: true once more events were read and the object goes on.
bool DocumentReader::mend_object() {
  const bool at_end = at_ >= window_.size() && input_ended_;
  const std::int64_t offset = window_offset_ + static_cast<std::int64_t>(mark_);
  if (recover()) return !ended_in_events_;
  ended_in_object_ = true;
  if (!at_end) notes_.add(Note::kRepairedHeader, offset);
  return false;
}

// A key and its colon.
bool DocumentReader::read_key(std::string& key) {
  key.clear();
  for (std::size_t i = at_ + 1;; ++i) {
    if (i >= window_.size() && !fill()) return false;
    if (window_[i] == '"') {
      take(i + 1 - at_);
      if (peek() != ':') return false;
      take(1);
      return true;
    }
    if (static_cast<unsigned char>(window_[i]) < 0x20 || key.size() > kMaxKey) return false;
    key.push_back(window_[i]);
  }
}

// Any value, as text of at most kMaxHeaderText bytes. False where it cannot be one.
bool DocumentReader::read_value(std::string& text) {
  text.clear();
  std::int64_t depth = 0;
  bool in_string = false;
  bool escaped = false;
  if (peek() == '\0' && at_ >= window_.size()) return false;
  for (bool started = false;; started = true) {
    if (at_ >= window_.size() && !fill()) return false;
    const char c = window_[at_];
    if (in_string) {
      if (static_cast<unsigned char>(c) < 0x20) return false;
      in_string = escaped || c != '"';
      escaped = !escaped && c == '\\';
      take(1);
      if (text.size() < kMaxHeaderText) text.push_back(c);
      if (!in_string && depth == 0) return true;
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (depth == 0 && started && (c == ',' || closes)) return true;  // after a bare word or number
    if (depth == 0 && closes) return false;
    if (c == '"') {
      if (depth == 0 && started) return false;
      in_string = true;
    }
    if (c == '{' || c == '[') ++depth;
    if (closes) --depth;
    take(1);
    if (text.size() < kMaxHeaderText) text.push_back(c);
    if (closes && depth == 0) return true;
  }
}

// Where events begin again in the window, from mark_ on; kNone if they do not.
std::size_t DocumentReader::find_events_ahead() {
  const char* const begin = window_.data();
  const char* const end = begin + window_.size();
  if (found_events_) {
    const char* const event = find_event_start(begin, begin + mark_, end);
    return event == end ? Splitter::kNone : static_cast<std::size_t>(event - begin);
  }
  for (std::size_t i = window_.find(kEvents, mark_); i != std::string::npos;
       i = window_.find(kEvents, i + 1)) {
    std::size_t j = i + kEvents.size();
    while (j < window_.size() && is_space(window_[j])) ++j;
    if (j >= window_.size() || window_[j] != ':') continue;
    ++j;
    while (j < window_.size() && is_space(window_[j])) ++j;
    if (j < window_.size() && window_[j] == '[') return j + 1;
  }
  return Splitter::kNone;
}

bool DocumentReader::recover() {
  constexpr std::size_t kOverlap = 4096;  // a pattern may straddle two pieces
  for (;;) {
    const std::size_t found = find_events_ahead();
    if (found != Splitter::kNone && arrays_ < kMaxArrays) {
      notes_.add(found_events_ ? Note::kResynchronised : Note::kRepairedHeader,
                 window_offset_ + static_cast<std::int64_t>(found));
      at_ = found;
      read_events();
      return true;
    }
    if (window_.size() > kOverlap) {
      const std::size_t drop = window_.size() - kOverlap;
      window_.erase(0, drop);
      window_offset_ += static_cast<std::int64_t>(drop);
      mark_ = 0;
    }
    if (!fill()) break;
  }
  at_ = window_.size();
  return false;
}

// One piece more at the end of the chunk; false at the end of the input.
bool DocumentReader::read_piece(Chunk& chunk) {
  if (input_ended_) return false;
  const std::size_t need = chunk.size + kPiece + kScanPadding;
  if (chunk.data.size() < need) {
    const std::size_t twice = 2 * chunk.data.size();
    constexpr std::size_t kUsual = kChunk + 2 * kPiece;
    chunk.data.grow(std::max(need, need <= kUsual ? std::min(twice, kUsual) : twice), chunk.size);
  }
  std::size_t got_all = 0;
  // Full pieces, whatever the source gives at a time, so that chunks do not depend on it.
  while (got_all < kPiece) {
    Result<std::size_t> got =
        source_.read(std::span<char>(chunk.data.data() + chunk.size + got_all, kPiece - got_all));
    if (!got) {
      failed_ = true;
      error_ = std::move(got.error());
    }
    if (!got || *got == 0) {
      input_ended_ = true;
      break;
    }
    got_all += *got;
  }
  chunk.size += got_all;
  bytes_ += static_cast<std::int64_t>(got_all);
  return got_all > 0;
}

// Submits data[0, at) and returns a chunk that starts with the rest.
std::unique_ptr<Chunk> DocumentReader::cut(std::unique_ptr<Chunk> chunk, std::size_t at) {
  std::unique_ptr<Chunk> next = pipeline_.acquire();
  const std::size_t rest = chunk->size - at;
  const std::size_t need = std::max(rest + kScanPadding, kChunk + 2 * kPiece);
  next->data.grow(need, 0);
  std::memcpy(next->data.data(), chunk->data.data() + at, rest);
  next->size = rest;
  next->offset = chunk->offset + static_cast<std::int64_t>(at);
  chunk->size = at;
  std::memset(chunk->data.data() + at, 0, kScanPadding);
  pipeline_.submit(std::move(chunk));
  splitter_.reset();
  return next;
}

void DocumentReader::finish_events(std::unique_ptr<Chunk> chunk, std::size_t end) {
  const std::size_t after = std::min(end + 1, chunk->size);
  window_.assign(chunk->data.data() + after, chunk->size - after);
  window_offset_ = chunk->offset + static_cast<std::int64_t>(after);
  at_ = mark_ = 0;
  chunk->size = end;
  std::memset(chunk->data.data() + end, 0, kScanPadding);
  pipeline_.submit(std::move(chunk));
}

// The input ends inside the array, unless damage hid its end from the splitter.
void DocumentReader::end_of_input(Chunk& chunk) {
  chunk.input_ends = true;
  pipeline_.run_now(chunk);
  window_offset_ = chunk.offset;
  window_.assign(chunk.data.data(), chunk.size);
  ended_in_events_ = chunk.array_end == 0;
  at_ = mark_ = ended_in_events_ ? chunk.size : chunk.array_end + 1;
}

void DocumentReader::read_events() {
  found_events_ = true;
  ++arrays_;
  std::unique_ptr<Chunk> chunk = pipeline_.acquire();
  chunk->first = true;
  chunk->offset = window_offset_ + static_cast<std::int64_t>(at_);
  chunk->size = window_.size() - at_;
  chunk->data.grow(chunk->size + kPiece + kScanPadding, 0);
  std::memcpy(chunk->data.data(), window_.data() + at_, chunk->size);
  window_.clear();
  at_ = 0;
  splitter_.reset();
  std::size_t lost_from = Splitter::kNone;  // where to look for an event after losing the place
  for (;;) {
    // What was read ahead is looked at before more is read.
    const bool need_more =
        lost_from != Splitter::kNone || splitter_.scanned() + Splitter::kBlock > chunk->size;
    const bool ends = need_more && !read_piece(*chunk);
    std::memset(chunk->data.data() + chunk->size, 0, kScanPadding);
    if (lost_from == Splitter::kNone) {
      splitter_.scan(chunk->data.data(), chunk->size, chunk->size + kPiece > kChunk || ends, ends);
      const std::size_t end = splitter_.array_end();
      if (end != Splitter::kNone && plausible_end(*chunk, end)) {
        chunk->last = true;
        finish_events(std::move(chunk), end);
        return;
      }
      if (end != Splitter::kNone) {
        lost_from = end + 1;
      } else if (chunk->size >= kMaxEvent && splitter_.boundary() == Splitter::kNone) {
        lost_from = kChunk;
      }
    }
    if (lost_from != Splitter::kNone && !ends && chunk->size >= kChunk) {
      const std::size_t at = find_cut(*chunk, lost_from);
      if (at < chunk->size || chunk->size >= lost_from + kMaxEvent) {
        notes_.add(Note::kResynchronised, chunk->offset + static_cast<std::int64_t>(lost_from));
        chunk = cut(std::move(chunk), at);
        chunk->uncertain = true;
        lost_from = Splitter::kNone;
        continue;
      }
    }
    if (ends) {
      end_of_input(*chunk);
      return;
    }
    if (chunk->size >= kChunk && splitter_.boundary() != Splitter::kNone) {
      chunk = cut(std::move(chunk), splitter_.boundary());
    }
  }
}

}  // namespace rooflab::importers::kineto
