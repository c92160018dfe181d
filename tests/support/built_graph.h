// SPDX-License-Identifier: Apache-2.0
// The graph of a hand-made profile or a recording, with everything it points into.
//
//   const auto b = built(std::move(tiny_trace));
//   simulate(b->graph, as_recorded(b->graph)).work_start[0];
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "graph/graph.h"
#include "graph/scenario.h"
#include "graph/simulate.h"
#include "support/recording.h"
#include "support/tiny_trace.h"

namespace rooflab::testing {

struct Built : Recording {
  graph::Graph graph;

  // The first work of that name; fails and gives row 0 if there is none.
  [[nodiscard]] model::WorkId work(std::string_view name) const {
    for (std::uint32_t row = 0; row < profile.work.size(); ++row) {
      if (profile.text(profile.work.name[row]) == name) return model::WorkId(row);
    }
    ADD_FAILURE() << "no work is called " << name;
    return model::WorkId(0U);
  }
};

// Null, with a failure, if it cannot be analysed.
inline std::unique_ptr<Built> built(model::Profile profile) {
  auto out = std::make_unique<Built>();
  if (!analyse_into(*out, std::move(profile))) return nullptr;
  out->graph = graph::build_graph(out->analysis);
  return out;
}
inline std::unique_ptr<Built> built(TinyTrace trace) { return built(std::move(trace).build()); }

// Six values that can be told apart in a sum.
inline graph::Latencies round_latencies() {
  return {.dispatch = 100,
          .stream_gap = 10,
          .copy_gap = 20,
          .node_gap = 1,
          .cross_gap = 30,
          .wait_return = 40};
}

// As recorded, but for the latencies.
inline graph::Scenario with_round_latencies(const graph::Graph& g) {
  graph::Scenario s = graph::as_recorded(g);
  s.latencies = round_latencies();
  return s;
}

}  // namespace rooflab::testing
