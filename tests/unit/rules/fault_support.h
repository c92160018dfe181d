// SPDX-License-Identifier: Apache-2.0
// Faults put into a hand-made analysis, for rules that report what analysis found.
#pragma once

#include <initializer_list>

#include "analysis/kernel_faults.h"
#include "support/cases.h"
#include "support/hand_made_analysis.h"
#include "support/recording.h"

namespace rooflab::testing {

inline hw::DeviceEntry test_device() {
  hw::DeviceEntry d;
  d.title = "Test GPU";
  d.memory_bandwidth.value = 1e12;
  return d;
}

inline HandMade with_shapes() {
  HandMade h;
  h.own("compute.gemm", 100);
  h.profile().provenance.shapes_recorded = true;
  return h;
}

inline analysis::TimeRange about(double ns) { return {ns * 1.2, ns, ns * 0.8}; }

// Launches of `ms` milliseconds each, one after the other from time 0, as one run that would take
// `then_ms`.
inline void add_run(HandMade& h, analysis::WorkRuns& runs, const std::string& name,
                    std::initializer_list<std::int64_t> ms, double then_ms) {
  analysis::WorkRun run;
  run.first = static_cast<std::uint32_t>(runs.works.size());
  run.count = static_cast<std::uint32_t>(ms.size());
  run.has_time = true;
  run.then = about(then_ms * 1e6);
  run.bytes_now = 5e9;
  run.bytes_then = 1e9;
  std::int64_t at = 0;
  for (const std::int64_t each : ms) {
    runs.works.push_back(h.launch(name, at * 1'000'000, each * 1'000'000));
    run.ns_now += each * 1'000'000;
    at += each;
  }
  runs.runs.push_back(run);
}

}  // namespace rooflab::testing
