// SPDX-License-Identifier: Apache-2.0
// What the Kineto reader repairs, leaves out or doubts while it reads, counted per chunk and merged
// in file order. The words and the claims each one forbids stand in notes.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/hygiene.h"

namespace rooflab::importers::kineto {

enum class Note : std::uint8_t {
  kNonFiniteNumber,
  kInvalidEscape,
  kUnescapedQuote,
  kRawControlCharacter,
  kInvalidUtf8,
  kStringTimestamp,
  kTrailingComma,
  kMissingComma,
  kDuplicateKey,
  kNumberOutOfRange,
  kTimeOutOfRange,
  kDeepNesting,
  kBareWord,
  kUnclosedEvent,
  kRepairedEvent,
  kDroppedUnparsable,
  kDroppedDeviceWork,
  kDroppedNoTime,
  kDroppedNoTimeDevice,
  kUnsupportedPhase,
  kUnknownCategory,
  kResynchronised,
  kTruncatedInput,
  kDamagedCompression,
  kMissingClosing,
  kConcatenated,
  kTrailingGarbage,
  kByteOrderMark,
  kRepairedHeader,
  kNoEvents,
  kPythonThreadUnknown,
  kDeviceIndexMismatch,
  kCopyDirectionFromCall,
  kCount,
};

struct NoteText {
  std::string_view code, hint;
  model::Claim forbids;
};
[[nodiscard]] const NoteText& text_of(Note note);

class Notes {
 public:
  // `offset`: byte in the decompressed input, kept for the first occurrence; -1 = nowhere special.
  void add(Note note, std::int64_t offset = -1, std::int64_t count = 1) {
    Entry& entry = entries_[static_cast<std::size_t>(note)];
    if (entry.count == 0) entry.first_offset = offset;
    entry.count += count;
  }
  void merge(const Notes& later);
  void clear() { entries_ = {}; }
  [[nodiscard]] std::int64_t count(Note note) const {
    return entries_[static_cast<std::size_t>(note)].count;
  }
  // Writes every counted note into `hygiene`, the first offset in the hint.
  void report(std::string_view input, model::Hygiene& hygiene) const;

 private:
  struct Entry {
    std::int64_t count = 0, first_offset = -1;
  };
  std::array<Entry, static_cast<std::size_t>(Note::kCount)> entries_{};
};

}  // namespace rooflab::importers::kineto
