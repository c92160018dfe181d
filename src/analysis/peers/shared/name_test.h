// SPDX-License-Identifier: Apache-2.0
// One of a peer's name patterns (data/markers/peers.json), tried once for each distinct name.
//
//   NameTest is_step(profile, "hta", "step");
//   if (is_step(profile.spans.name[i])) ...
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/string_table.h"
#include "model/profile.h"

namespace rooflab::analysis {

class NameTest {
 public:
  NameTest(const model::Profile& profile, std::string_view peer, std::string_view key);
  [[nodiscard]] bool operator()(StringId name);

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };

  const StringTable* strings_;
  RE2 pattern_;
  std::vector<Answer> answers_;  // by StringId row
};

}  // namespace rooflab::analysis
