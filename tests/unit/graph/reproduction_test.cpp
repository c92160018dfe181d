// SPDX-License-Identifier: Apache-2.0
// The un-edited simulation gives back the recorded step of every recording: within 2 %, with six
// latencies a file and no time stored for any single edge of the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "graph/gain.h"
#include "support/built_graph.h"
#include "support/cases.h"

namespace rooflab::graph {
namespace {

using rooflab::testing::analysed;

constexpr double kWorst = 0.02;

// Traces below `folder`, in order of their paths.
std::vector<std::string> traces_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored)) {
    const std::string path = entry.path().string();
    const bool trace =
        path.ends_with(".json.gz") || path.ends_with(".pt.trace.json") || path.ends_with(".json");
    const bool other =
        path.find("truth") != std::string::npos || path.find("predictions") != std::string::npos;
    if (entry.is_regular_file() && trace && !other) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_reproduced(const std::vector<std::string>& paths, std::size_t at_least) {
  std::vector<std::string> outside;
  std::size_t checked = 0;
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const auto r = analysed(path);
    ASSERT_TRUE(r);
    if (r->profile.work.size() == 0) continue;
    const Graph g = build_graph(r->analysis);
    const double recorded = recorded_step_ns(g);
    const double simulated = simulate(g, as_recorded(g)).step_ns;
    ASSERT_GT(recorded, 0);
    ++checked;
    const double error = simulated / recorded - 1;
    EXPECT_LE(std::abs(error), kWorst) << "recorded " << recorded << " ns, simulated " << simulated;
    EXPECT_DOUBLE_EQ(Predictor(g, true).reproduction_error(), std::abs(error));
    if (std::abs(error) > kWorst) outside.push_back(path);
  }
  EXPECT_GE(checked, at_least) << "the recordings were looked for in the wrong place";
  for (const std::string& path : outside) std::cout << "outside 2 %: " << path << "\n";
}

TEST(Reproduction, OfTheRecordingsHere) {
  expect_reproduced(traces_in(rooflab::testing::test_data("h200")), 25);
}

TEST(Reproduction, OfOtherProjectsRecordings) {
  ROOFLAB_CASE(cases, "public");
  std::vector<std::string> paths;
  for (const char* project : {"tensorboard", "tracelens", "hta"}) {
    const auto found = traces_in(cases + "/" + project);
    paths.insert(paths.end(), found.begin(), found.end());
  }
  expect_reproduced(paths, 5);
}

}  // namespace
}  // namespace rooflab::graph
