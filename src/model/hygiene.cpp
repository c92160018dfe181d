// SPDX-License-Identifier: Apache-2.0
#include "model/hygiene.h"

#include <algorithm>

#include "base/units.h"

namespace rooflab::model {

void Hygiene::add(std::string_view code, std::string_view input, std::int64_t count,
                  std::string_view hint, Claim forbids) {
  if (count <= 0) return;
  const auto same = [&](const HygieneNote& note) {
    return note.code == code && note.input == input;
  };
  const auto it = std::find_if(notes_.begin(), notes_.end(), same);
  if (it != notes_.end()) {
    it->count = saturating_add(it->count, count);
    it->forbids = it->forbids | forbids;
    return;
  }
  notes_.push_back({std::string(code), std::string(input), count, std::string(hint), forbids});
}

void Hygiene::merge(const Hygiene& other) {
  for (const HygieneNote& note : other.notes_)
    add(note.code, note.input, note.count, note.hint, note.forbids);
}

std::int64_t Hygiene::count(std::string_view code) const {
  std::int64_t total = 0;
  for (const HygieneNote& note : notes_) {
    if (note.code == code) total = saturating_add(total, note.count);
  }
  return total;
}

bool Hygiene::forbids(Claim claim) const {
  return std::any_of(notes_.begin(), notes_.end(),
                     [&](const HygieneNote& note) { return includes(note.forbids, claim); });
}

}  // namespace rooflab::model
