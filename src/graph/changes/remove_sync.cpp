// SPDX-License-Identifier: Apache-2.0
// Calls that wait for the device return at once; the work is unchanged.
//
//   remove-sync aten::item
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "remove-sync";

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 1));
  Applied out;
  out.count = remove_waits(g, arguments.empty() ? std::string_view() : arguments[0], s);
  out.what = fmt::format("{} calls no longer wait for the device", human_count(out.count));
  out.assumes = {"the values are not needed on the host before the end"};
  return out;
}

}  // namespace

Change change_remove_sync() {
  return {kName, "[NAME]", "let calls that wait for the device return at once", &apply};
}

}  // namespace rooflab::graph
