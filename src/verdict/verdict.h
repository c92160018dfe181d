// SPDX-License-Identifier: Apache-2.0
// Findings -> one sentence: limit, state, confidence.
//
// Each cause is removed alone by simulation: the limit is the one with the largest likely gain, or,
// where none gains 1.10x, the resource that owns most busy time. A file that is unsuitable for
// gains falls back to the cause whose owners hold the largest share of the window; confidence is
// then "provisional".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "graph/gain.h"
#include "rules/rule.h"

namespace rooflab::verdict {

enum class Limit : std::uint8_t {
  kInput,
  kHost,
  kLaunch,
  kSync,
  kTransfer,
  kComm,
  kStraggler,
  kMemory,
  kCompute,
  kLatency,
  kDevice,
  kCpu,
  kWaiting,
  kNone
};
[[nodiscard]] std::string_view to_string(Limit l);

enum class State : std::uint8_t { kHealthy, kImprovable, kInconclusive };
[[nodiscard]] std::string_view to_string(State s);

struct Verdict {
  Limit limit = Limit::kNone;
  State state = State::kInconclusive;
  std::string verdict_class;  // JSON `class`: "input_bound", "healthy", "inconclusive" …
  std::string summary;        // one sentence, names the owner
  rules::Confidence confidence = rules::Confidence::kProvisional;
  Limit runner_up = Limit::kNone;
  std::optional<double> margin_ratio;  // of the leader's gain (or share), 0..1
  std::optional<rules::Gain> gain;     // of removing the limit's cause
  std::string inconclusive_because;    // empty unless state is kInconclusive
  std::string improvable_because;      // what there is to gain; empty unless state is kImprovable
};

// What removing one cause alone would gain (verdict/causes.h).
struct CauseGain {
  Limit limit = Limit::kNone;
  graph::Gain gain;
};
struct Predictions {
  const graph::Predictor* predictor = nullptr;
  std::vector<CauseGain> causes;  // of cause_gains()
};

// `predictions` null: no graph could be built.
[[nodiscard]] Verdict decide(const analysis::Analysis& analysis, const rules::Findings& findings,
                             const Predictions* predictions);

}  // namespace rooflab::verdict
