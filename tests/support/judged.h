// SPDX-License-Identifier: Apache-2.0
// All that `rooflab why` concludes from one profile, with everything it points into.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support/built_graph.h"
#include "verdict/causes.h"
#include "verdict/verdict.h"

namespace rooflab::testing {

struct Judged {
  std::unique_ptr<Built> built;
  std::optional<graph::Predictor> predictor;
  rules::Findings findings;
  verdict::Predictions predictions;
  verdict::Verdict verdict;

  [[nodiscard]] const graph::Graph& graph() const { return built->graph; }
  // The gain of removing a cause; 1 where it gains nothing.
  [[nodiscard]] double gain_of(verdict::Limit limit) const {
    for (const verdict::CauseGain& c : predictions.causes) {
      if (c.limit == limit) return c.gain.likely;
    }
    return 1;
  }
  [[nodiscard]] const rules::Finding* finding(std::string_view rule) const {
    for (const rules::Finding& f : findings.fired) {
      if (f.rule == rule) return &f;
    }
    return nullptr;
  }
  // Share of the window that owners of this branch hold ("idle.starved.input"), over all devices.
  [[nodiscard]] double share(std::string_view branch) const {
    double time = 0, window = 0;
    for (const analysis::DeviceAccounting& d : built->analysis.accounting.devices) {
      window += static_cast<double>(d.total().value);
      for (const analysis::OwnerShare& o : d.owners) {
        if (std::string_view(o.owner).starts_with(branch)) {
          time += static_cast<double>(o.time.value);
        }
      }
    }
    return window > 0 ? time / window : 0;
  }
};

// Null, with a failure, if it cannot be analysed.
inline std::unique_ptr<Judged> judged(model::Profile profile) {
  auto out = std::make_unique<Judged>();
  out->built = built(std::move(profile));
  if (!out->built) return nullptr;
  out->predictor.emplace(out->built->graph, true);
  out->findings = rules::evaluate(out->built->analysis, &*out->predictor);
  out->predictions = {&*out->predictor, verdict::cause_gains(*out->predictor)};
  out->verdict = verdict::decide(out->built->analysis, out->findings, &out->predictions);
  return out;
}

inline std::unique_ptr<Judged> judged_file(const std::string& path) {
  auto profile = importers::import_file(path);
  if (!profile) {
    ADD_FAILURE() << path << ": " << profile.error().message;
    return nullptr;
  }
  return judged(std::move(*profile));
}

}  // namespace rooflab::testing
