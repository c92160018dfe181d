// SPDX-License-Identifier: Apache-2.0
// What reading an Nsight Systems database leaves out, repairs or doubts, counted; report() writes
// the counts into the profile's hygiene with what each means for the conclusions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/hygiene.h"

namespace rooflab::importers::nsys {

enum class Note : std::uint8_t {
  kDamagedWorkTable,
  kDamagedHostTable,
  kUnusableWorkTable,
  kUnusableHostTable,
  kDroppedWorkNoTime,
  kDroppedNoTime,
  kWrongType,
  kMissingString,
  kInvalidUtf8,
  kOpenRange,
  kGraphAsOne,
  kUnknownEnumeration,
  kDeviceUnnamed,
  kSchedulerUnpaired,
  kLostStacks,
  kUnreadTable,
  kNoDeviceActivity,
  kNoEvents,
  kNotExported,
  kCount,
};

class Tally {
 public:
  void add(Note note, std::int64_t count = 1) { counts_[static_cast<std::size_t>(note)] += count; }
  // `what` is shown in the note's hint: the first few distinct ones.
  void add(Note note, std::string_view what, std::int64_t count = 1);
  [[nodiscard]] std::int64_t count(Note note) const {
    return counts_[static_cast<std::size_t>(note)];
  }
  void report(std::string_view input, model::Hygiene& hygiene) const;

 private:
  static constexpr std::size_t kNotes = static_cast<std::size_t>(Note::kCount);
  std::array<std::int64_t, kNotes> counts_{};
  std::array<std::vector<std::string>, kNotes> named_;
};

}  // namespace rooflab::importers::nsys
