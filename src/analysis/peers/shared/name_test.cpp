// SPDX-License-Identifier: Apache-2.0
#include "analysis/peers/shared/name_test.h"

#include "base/check.h"
#include "hw/peer_markers.h"

namespace rooflab::analysis {

NameTest::NameTest(const model::Profile& profile, std::string_view peer, std::string_view key)
    : strings_(&profile.strings),
      pattern_(hw::peer_pattern(peer, key), RE2::Quiet),
      answers_(profile.strings.size(), Answer::kUnknown) {
  CHECK(pattern_.ok(), "the shipped pattern compiles");
}

bool NameTest::operator()(StringId name) {
  if (name.row >= answers_.size()) return false;
  Answer& answer = answers_[name.row];
  if (answer == Answer::kUnknown) {
    const std::string_view text = strings_->view(name);
    const bool yes = RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern_);
    answer = yes ? Answer::kYes : Answer::kNo;
  }
  return answer == Answer::kYes;
}

}  // namespace rooflab::analysis
