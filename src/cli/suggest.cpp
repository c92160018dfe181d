// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.h"

#include <algorithm>
#include <cctype>

namespace rooflab::cli {
namespace {
// Longer words are no typing errors; they would only cost time.
constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kLongestList = 12;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestWord);
  b = b.substr(0, kLongestWord);
  const std::size_t width = b.size() + 1;
  std::vector<int> rows(3 * width);  // the last three rows: a swap looks two back
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return rows[(i % 3) * width + j]; };
  for (std::size_t j = 0; j < width; ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    at(i, 0) = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      int best = std::min({replace, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = std::min(best, at(i - 2, j - 2) + 1);
      at(i, j) = best;
    }
  }
  return at(a.size(), b.size());
}

std::string nearest(std::string_view given, const std::vector<std::string>& candidates) {
  const std::string word = lower(given);
  const std::string* best = nullptr;
  // A third of the word may be wrong, at least one letter, at most three.
  int limit = std::clamp(static_cast<int>(word.size()) / 3, 1, 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::string known = lower(candidate);
    const bool prefix = word.size() >= 3 && known != word && known.starts_with(word);
    const int distance = prefix ? 1 : edit_distance(word, known);
    if (distance < limit) {
      limit = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string best = nearest(word, candidates); !best.empty())
    return "did you mean " + best + "?";
  if (candidates.empty()) return {};
  std::string out = "one of: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i == kLongestList) return out + ", ...";
    out += (i == 0 ? "" : ", ") + candidates[i];
  }
  return out;
}

}  // namespace rooflab::cli
