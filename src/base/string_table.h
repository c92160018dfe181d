// SPDX-License-Identifier: Apache-2.0
// Interned strings: equal text has one StringId, id 0 is the empty string, and views stay valid for
// the table's life (text lives in blocks that never move). Ids are given in order of first use, so
// an import is deterministic.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/handle.h"

namespace rooflab {

using StringId = Handle<struct StringTag>;

class StringTable {
 public:
  StringTable();
  StringTable(StringTable&&) noexcept = default;
  StringTable& operator=(StringTable&&) noexcept = default;
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;
  ~StringTable() = default;

  StringId intern(std::string_view text);
  // The id of text that is already there, or an invalid id.
  [[nodiscard]] StringId find(std::string_view text) const;
  // An id out of range (a damaged run file) yields the empty string.
  [[nodiscard]] std::string_view view(StringId id) const {
    return id.row < views_.size() ? views_[id.row] : std::string_view();
  }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::size_t text_bytes() const { return text_bytes_; }

 private:
  [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  std::string_view store(std::string_view text);
  void grow();

  std::vector<std::string_view> views_;
  std::vector<std::uint32_t> hashes_;  // upper half of each string's hash, to skip most comparisons
  std::vector<std::uint32_t> slots_;   // open addressing, size a power of two; Handle::kNone = free
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_next_ = nullptr;
  std::size_t text_bytes_ = 0;
};

}  // namespace rooflab
