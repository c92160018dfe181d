// SPDX-License-Identifier: Apache-2.0
// What a rule said about an analysis: the one finding, silence, or what it needs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "support/cases.h"
#include "support/recording.h"

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

inline bool proposes(const Finding& finding, const std::vector<graph::ChangeCall>& remedy) {
  return finding.remedy == remedy;
}

// A recording of tests/data/h200.
inline std::unique_ptr<rooflab::testing::Recording> h200(const std::string& name) {
  return rooflab::testing::analysed(rooflab::testing::test_data("h200/" + name + ".json.gz"));
}

inline void expect_silent_on(const std::string& id, std::initializer_list<const char*> recordings) {
  for (const char* name : recordings) {
    const auto recording = h200(name);
    ASSERT_NE(recording, nullptr) << name;
    EXPECT_TRUE(silent(id, recording->analysis)) << id << " on " << name;
  }
}

}  // namespace rooflab::rules
