// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/chunk_rows.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::uint32_t kFree = 0xffffffffU;
constexpr std::size_t kFirstSlots = 4096;  // a chunk of 1 MB holds some hundred distinct texts

bool has_space(std::string_view raw) { return std::any_of(raw.begin(), raw.end(), is_space); }
bool is_ascii(std::string_view raw) {
  return std::none_of(raw.begin(), raw.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

LocalStrings::LocalStrings() : slots_(kFirstSlots, kFree) {}

void LocalStrings::clear() {
  spellings_.clear();
  texts_.clear();
  hashes_.clear();
  slots_.assign(kFirstSlots, kFree);
  arena_.clear();
}

std::uint32_t LocalStrings::find_or_add(std::string_view spelling, bool raw_json, bool& added) {
  // The lowest bit keeps a string "[0, 1]" apart from the value [0, 1].
  const std::uint64_t hash =
      (XXH3_64bits(spelling.data(), spelling.size()) & ~std::uint64_t{1}) | (raw_json ? 1U : 0U);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = (hash >> 1U) & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t row = slots_[slot];
    if (row == kFree) {
      slots_[slot] = static_cast<std::uint32_t>(spellings_.size());
      spellings_.push_back(spelling);
      hashes_.push_back(hash);
      added = true;
      return slots_[slot];
    }
    if (hashes_[row] == hash && spellings_[row] == spelling) return row;
  }
}

void LocalStrings::grow() {
  slots_.assign(slots_.size() * 2, kFree);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t row = 0; row < hashes_.size(); ++row) {
    std::size_t slot = (hashes_[row] >> 1U) & mask;
    while (slots_[slot] != kFree) slot = (slot + 1) & mask;
    slots_[slot] = row;
  }
}

std::string_view LocalStrings::keep(std::string text) {
  return arena_.emplace_back(std::move(text));
}

// The text as the model holds it: raw values in one spelling, escapes undone, valid UTF-8.
std::string_view LocalStrings::plain_form(const Text& text, Notes& notes) {
  if (!text.raw_json && (text.flags & kTextEscaped) != 0) {
    std::string plain;
    unescape(text.view(), plain, notes);
    return keep(std::move(plain));
  }
  std::string_view form = text.view();
  if (text.raw_json && has_space(form)) form = keep(compact_json(form));
  if (text.raw_json ? !is_ascii(form) : (text.flags & kTextNonAscii) != 0) {
    std::string valid;
    append_valid_utf8(form, valid, notes);
    form = keep(std::move(valid));
  }
  return form;
}

StringId LocalStrings::intern(std::string_view text) {
  bool added = false;
  const std::uint32_t row = find_or_add(text, false, added);
  if (added) {
    texts_.push_back(text);
    if (spellings_.size() * 2 > slots_.size()) grow();
  }
  return StringId(row);
}

StringId LocalStrings::intern(const Text& text, Notes& notes) {
  bool added = false;
  const std::uint32_t row = find_or_add(text.view(), text.raw_json, added);
  if (!added) return StringId(row);
  texts_.push_back(plain_form(text, notes));
  if (spellings_.size() * 2 > slots_.size()) grow();
  return StringId(row);
}

void ChunkRows::clear() {
  strings.clear();
  tracks.clear();
  args.clear();
  configs.clear();
  collectives.clear();
  spans.clear();
  works.clear();
  spans_without_correlation.clear();
  works_without_correlation.clear();
  python_without_thread.clear();
  flows.clear();
  memory.clear();
  instants.clear();
  counters.clear();
  metas.clear();
  calls.clear();
  notes.clear();
  events = 0;
  first_time = 0;
  any_correlation = false;
  has_end_marker = false;
  call_vendor = model::Vendor::kUnknown;
  device_vendors.clear();
}

}  // namespace rooflab::importers::kineto
