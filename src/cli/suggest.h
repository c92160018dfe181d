// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the candidate nearest to a mistyped word, if any is near enough to be meant.
// Capitals count as no mistake.
//
//   nearest("wyh", {"why", "info"}) == "why"     nearest("zzz", {...}) == ""
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooflab::cli {

// Edits (insert, delete, replace, swap neighbours) that turn one word into the other.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);
// "did you mean why?" or, where nothing is near, "one of: why, info"; empty without candidates.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace rooflab::cli
