// SPDX-License-Identifier: Apache-2.0
// The database's table of strings: what its numbers stand for, interned only when asked for (it
// also holds file names, log texts and symbols that no event here uses).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "importers/nsys/database.h"
#include "importers/nsys/tally.h"
#include "model/builder.h"

namespace rooflab::importers::nsys {

constexpr std::string_view kNameMissing = "(name missing)";

// `text` with bytes that are not UTF-8 replaced and counted.
[[nodiscard]] std::string valid_text(std::string_view text, Tally& tally);

class Strings {
 public:
  Strings(const Database& database, model::Builder& builder, Tally& tally);

  // An empty view where there is no such string.
  [[nodiscard]] std::string_view view(std::int64_t id) const;
  [[nodiscard]] bool has(std::int64_t id) const { return find(id) != nullptr; }
  // Counts a missing one and gives kNameMissing.
  [[nodiscard]] StringId intern(std::int64_t id);
  [[nodiscard]] StringId intern(std::string_view text);

 private:
  struct Entry {
    std::int64_t id = 0;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    StringId interned;
  };
  [[nodiscard]] const Entry* find(std::int64_t id) const;

  model::Builder* builder_;
  Tally* tally_;
  std::vector<Entry> entries_;  // by id
  std::string text_;
};

}  // namespace rooflab::importers::nsys
