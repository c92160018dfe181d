// SPDX-License-Identifier: Apache-2.0
// What an import dropped, repaired or could not link, and what may therefore no longer be
// concluded.
//
// Each note has a stable code, a count and a hint that says what the user can do. A note whose
// `forbids` is not kNothing limits the verdict: the claims it names are "not evaluated", never
// silently wrong. Counting the same code for the same input adds to its count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rooflab::model {

// The claims a note can forbid, as bits.
enum class Claim : std::uint32_t {
  kNothing = 0,
  kTimes = 1U << 0U,      // durations, windows and ratios of them
  kCoverage = 1U << 1U,   // that all device work is in the file (idle may be missing work)
  kLinks = 1U << 2U,      // which host activity launched which work
  kHostCause = 1U << 3U,  // what the host did in a gap
  kMemory = 1U << 4U,     // allocation figures
};
constexpr Claim operator|(Claim a, Claim b) {
  return static_cast<Claim>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool includes(Claim set, Claim one) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(one)) != 0;
}

struct HygieneNote {
  std::string code;   // stable snake_case id, as in `rooflab explain CODE`
  std::string input;  // the file it is about
  std::int64_t count = 0;
  std::string hint;  // what happened and what to do, one or two sentences
  Claim forbids = Claim::kNothing;
};

class Hygiene {
 public:
  // Adds `count` occurrences (a count of 0 is not recorded). The first hint of a (code, input) pair
  // stands.
  void add(std::string_view code, std::string_view input, std::int64_t count, std::string_view hint,
           Claim forbids = Claim::kNothing);
  void merge(const Hygiene& other);

  [[nodiscard]] const std::vector<HygieneNote>& notes() const { return notes_; }
  [[nodiscard]] std::int64_t count(std::string_view code) const;  // over all inputs
  [[nodiscard]] bool forbids(Claim claim) const;
  [[nodiscard]] bool empty() const { return notes_.empty(); }

 private:
  std::vector<HygieneNote> notes_;
};

}  // namespace rooflab::model
