// SPDX-License-Identifier: Apache-2.0
#include "base/string_table.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace rooflab {
namespace {
// Blocks double six times, from 4 to 256 KiB: small profiles stay small.
constexpr std::size_t kFirstBlockBytes = 1U << 12U;
constexpr std::size_t kBlockDoublings = 6;
constexpr std::uint32_t kFree = StringId::kNone;

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }
}  // namespace

StringTable::StringTable() : slots_(64, kFree) { intern({}); }

std::size_t StringTable::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t row = slots_[slot];
    if (row == kFree || (hashes_[row] == tag && views_[row] == text)) return slot;
  }
}

std::string_view StringTable::store(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > block_left_) {
    const std::size_t next = kFirstBlockBytes
                             << std::min<std::size_t>(blocks_.size(), kBlockDoublings);
    const std::size_t bytes = std::max(next, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    block_next_ = blocks_.back().get();
    block_left_ = bytes;
  }
  char* const at = block_next_;
  std::memcpy(at, text.data(), text.size());
  block_next_ += text.size();
  block_left_ -= text.size();
  text_bytes_ += text.size();
  return {at, text.size()};
}

void StringTable::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, kFree);
  slots_.swap(slots);
  for (std::uint32_t row = 0; row < views_.size(); ++row)
    slots_[slot_of(views_[row], hash_of(views_[row]))] = row;
}

StringId StringTable::intern(std::string_view text) {
  const std::uint64_t hash = hash_of(text);
  const std::size_t slot = slot_of(text, hash);
  if (slots_[slot] != kFree) return StringId(slots_[slot]);
  CHECK(views_.size() < kFree - 1, "fewer than 2^32 distinct strings");
  const auto row = static_cast<std::uint32_t>(views_.size());
  views_.push_back(store(text));
  hashes_.push_back(static_cast<std::uint32_t>(hash >> 32U));
  slots_[slot] = row;
  if (views_.size() * 2 > slots_.size()) grow();
  return StringId(row);
}

StringId StringTable::find(std::string_view text) const {
  const std::uint32_t row = slots_[slot_of(text, hash_of(text))];
  return row == kFree ? StringId() : StringId(row);
}

}  // namespace rooflab
