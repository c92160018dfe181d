// SPDX-License-Identifier: Apache-2.0
// Findings -> one sentence: limit, state, confidence.
//
// Until gains are simulated the limit is the cause whose owners hold the largest share of the
// window, confidence is "provisional" and the gain is absent; the screen says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/analysis.h"
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
  std::optional<double> margin_ratio;
  std::string inconclusive_because;  // empty unless state is kInconclusive
  std::string improvable_because;    // what there is to gain; empty unless state is kImprovable
};

[[nodiscard]] Verdict decide(const analysis::Analysis& analysis, const rules::Findings& findings);

}  // namespace rooflab::verdict
