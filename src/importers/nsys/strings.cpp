// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/strings.h"

#include <algorithm>

#include "importers/kineto/text.h"

namespace rooflab::importers::nsys {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

std::string valid_text(std::string_view text, Tally& tally) {
  if (is_ascii(text)) return std::string(text);
  kineto::Notes notes;
  std::string out;
  kineto::append_valid_utf8(text, out, notes);
  tally.add(Note::kInvalidUtf8, notes.count(kineto::Note::kInvalidUtf8));
  return out;
}

Strings::Strings(const Database& database, model::Builder& builder, Tally& tally)
    : builder_(&builder), tally_(&tally) {
  Query rows(database, "StringIds", {"id", "value"}, tally);
  while (rows.next()) {
    const auto id = rows.integer(0);
    if (!id) continue;
    const std::string_view value = rows.text(1);
    entries_.push_back({*id, text_.size(), static_cast<std::uint32_t>(value.size()), {}});
    text_ += value;
  }
  if (rows.damaged()) tally.add(Note::kDamagedHostTable, "StringIds");
  const auto before = [](const Entry& a, const Entry& b) { return a.id < b.id; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) {
    std::stable_sort(entries_.begin(), entries_.end(), before);
  }
}

const Strings::Entry* Strings::find(std::int64_t id) const {
  if (entries_.empty()) return nullptr;
  const std::int64_t first = entries_.front().id;
  if (id < first || id > entries_.back().id) return nullptr;
  // Exports number strings densely.
  const auto guess = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first);
  if (guess < entries_.size() && entries_[guess].id == id) return &entries_[guess];
  const auto it =
      std::lower_bound(entries_.begin(), entries_.end(), id,
                       [](const Entry& e, std::int64_t wanted) { return e.id < wanted; });
  return it != entries_.end() && it->id == id ? &*it : nullptr;
}

std::string_view Strings::view(std::int64_t id) const {
  const Entry* entry = find(id);
  if (entry == nullptr) return {};
  return std::string_view(text_).substr(entry->offset, entry->length);
}

StringId Strings::intern(std::int64_t id) {
  const Entry* found = find(id);
  if (found == nullptr) {
    tally_->add(Note::kMissingString);
    return builder_->intern(kNameMissing);
  }
  Entry& entry = entries_[static_cast<std::size_t>(found - entries_.data())];
  if (!entry.interned.valid()) entry.interned = intern(view(id));
  return entry.interned;
}

StringId Strings::intern(std::string_view text) {
  if (is_ascii(text)) return builder_->intern(text);
  return builder_->intern(valid_text(text, *tally_));
}

}  // namespace rooflab::importers::nsys
