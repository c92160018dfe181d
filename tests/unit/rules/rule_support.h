// SPDX-License-Identifier: Apache-2.0
// What a rule said about an analysis: the one finding, silence, or what it needs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "rules/rule.h"

namespace rooflab::rules {

inline Outcome outcome_of(const std::string& id, const analysis::Analysis& a) {
  for (const Rule& rule : all_rules()) {
    if (rule.info.id == id) return rule.run(a);
  }
  ADD_FAILURE() << "no rule " << id;
  return Clear{};
}

// The finding of a rule that must fire once.
inline std::optional<Finding> fired(const std::string& id, const analysis::Analysis& a) {
  const Outcome outcome = outcome_of(id, a);
  const auto* findings = std::get_if<std::vector<Finding>>(&outcome);
  if (findings == nullptr || findings->size() != 1) return std::nullopt;
  return findings->front();
}

inline bool silent(const std::string& id, const analysis::Analysis& a) {
  const Outcome outcome = outcome_of(id, a);
  return std::holds_alternative<Clear>(outcome);
}

inline std::string needs(const std::string& id, const analysis::Analysis& a) {
  const Outcome outcome = outcome_of(id, a);
  const auto* missing = std::get_if<NotEvaluated>(&outcome);
  return missing == nullptr ? std::string() : missing->needs;
}

}  // namespace rooflab::rules
