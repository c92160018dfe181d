// SPDX-License-Identifier: Apache-2.0
// Input is always ready: an upper bound, since whatever prepares it then competes for the host.
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "feed-loader";

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  Applied out;
  out.count = remove_host(g, {analysis::HostClass::kInput}, {}, s);
  out.what =
      fmt::format("the input is ready when it is asked for, {} times", human_count(out.count));
  out.assumes = {"preparing it elsewhere costs the training process nothing"};
  out.bound = true;
  return out;
}

}  // namespace

Change change_feed_loader() { return {kName, "", "have the input always ready", &apply}; }

}  // namespace rooflab::graph
