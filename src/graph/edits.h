// SPDX-License-Identifier: Apache-2.0
// Edits that several changes share, and the arguments they read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/change.h"

namespace rooflab::graph {

// The value of a range for one outlook.
[[nodiscard]] double pick(Outlook outlook, double least, double likely, double most);
// The shipped ceiling of that name for one outlook.
[[nodiscard]] double ceiling_for(Outlook outlook, std::string_view name);

// The host unit that each anchor begins in, 0 before the first (one more than the unit's index).
[[nodiscard]] std::vector<std::uint32_t> unit_of_anchors(const Graph& graph);

// The work of anchor `i` is no longer launched: no call, no work, and no host time before it that
// the framework spent on it; `with_glue`: nor short code of the program between operators.
void drop_anchor(const Graph& graph, std::uint32_t i, bool with_glue, Scenario& scenario);

// Launches that could be captured and replayed as one graph: anchors in order, none of which waits;
// nothing between them but the framework and short code of the program.
struct CaptureRun {
  std::vector<std::uint32_t> anchors;
  std::int64_t works = 0;
};
[[nodiscard]] std::vector<CaptureRun> capture_runs(const Graph& graph, const Scenario& scenario,
                                                   std::size_t least_works);
// Replays each run as one graph launch.
void replay_as_graphs(const Graph& graph, const std::vector<CaptureRun>& runs, Outlook outlook,
                      Scenario& scenario);

// Host time of the given classes goes away; `name`: only where its cause has that name (shown
// without numbers). Returns how many parts.
std::int64_t remove_host(const Graph& graph, const std::vector<analysis::HostClass>& classes,
                         std::string_view name, Scenario& scenario);
// Waits return at once. `name`: only those whose call or an operator or range around it has that
// name. Returns how many.
std::int64_t remove_waits(const Graph& graph, std::string_view name, Scenario& scenario);

// Bytes per second of the link between host and device; absent for an unknown device.
[[nodiscard]] std::optional<double> link_rate(const Graph& graph, Outlook outlook);
// A copy between host and device.
[[nodiscard]] bool crosses_link(const model::Profile& profile, model::WorkId work);
// Whether anchor `i` copies to the host and the host waits for it: the program reads the value, so
// the copy cannot be gathered with later ones.
[[nodiscard]] bool reads_back(const Graph& graph, std::uint32_t i);
// Waits that only waited for this work go away, and the copy no longer blocks its caller.
void unblock(const Graph& graph, std::uint32_t anchor, Scenario& scenario);

// A usage error unless there are between `least` and `most` arguments.
[[nodiscard]] Result<void> expect_arguments(const char* change,
                                            const std::vector<std::string>& arguments,
                                            std::size_t least, std::size_t most);
[[nodiscard]] Result<double> positive_number(const char* change, const std::string& text);

}  // namespace rooflab::graph
