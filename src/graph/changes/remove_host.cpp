// SPDX-License-Identifier: Apache-2.0
// Host time of one kind, or of one named range, goes away.
//
//   remove-host compile        remove-host range:log_metrics
#include <fmt/format.h>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

using analysis::HostClass;

constexpr const char* kName = "remove-host";
constexpr HostClass kClasses[] = {HostClass::kInput,    HostClass::kCompile,  HostClass::kAlloc,
                                  HostClass::kCopyCall, HostClass::kOffCpu,   HostClass::kFramework,
                                  HostClass::kRange,    HostClass::kHostCode, HostClass::kUnknown};

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 1, 1));
  const std::string& text = arguments[0];
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const HostClass c : kClasses) {
    if (analysis::to_string(c) != kind) continue;
    Applied out;
    out.count = remove_host(g, {c}, name, s);
    out.what = fmt::format("{} stretches of {} go away", human_count(out.count), text);
    return out;
  }
  return fail(ErrorCode::kUsage, "no kind of host time is called " + kind, kName,
              "input, compile, alloc, copy_call, off_cpu, framework, range, host_code or unknown, "
              "with :NAME for one of them");
}

}  // namespace

Change change_remove_host() {
  Change change{kName, "KIND[:NAME]", "take away host time of one kind", &apply};
  // Input has a change of its own; what the framework does belongs to its launches.
  for (const HostClass c : kClasses) {
    if (c == HostClass::kInput || c == HostClass::kFramework) continue;
    change.tries.push_back({std::string(analysis::to_string(c))});
  }
  return change;
}

}  // namespace rooflab::graph
