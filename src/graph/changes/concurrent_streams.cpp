// SPDX-License-Identifier: Apache-2.0
// Runs of kernels that fit on the device side by side (analysis/serial_runs.h) run on several
// streams instead of one: a run of n takes the time of ceil(n / c) of them, c at once. Kept in
// order on the recorded stream with their time divided, which gives the same end of the run.
//
// Memory traffic does not share: no kernel gets shorter than its roof allows. Refuses arguments.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/serial_runs.h"
#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "concurrent-streams";

// Two always fit (that is what makes a run); four streams are what programs use; as many as fit is
// the most that the device can do.
std::int64_t at_once(const analysis::SerialRun& run, Outlook outlook) {
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min(run.fit, static_cast<std::int64_t>(run.works.size())));
  if (outlook == Outlook::kLeast) return std::min<std::int64_t>(2, most);
  if (outlook == Outlook::kLikely) return std::min<std::int64_t>(4, most);
  return most;
}

// Least time of a launch of each kernel by its roof; absent where its work is not known.
std::map<StringId, std::int64_t> roof_times(const analysis::KernelTable& table) {
  std::map<StringId, std::int64_t> out;
  for (const analysis::KernelRow& row : table.rows) {
    if (row.modelled > 0) out[row.name] = row.roof_time.value / row.modelled;
  }
  return out;
}

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook outlook, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  const analysis::Analysis& a = *graph.analysis;
  const int catalogue = a.hardware == nullptr ? -1 : a.hardware->multiprocessors;
  const auto runs = analysis::serial_runs(*a.profile, a.classes, a.ops, a.window, catalogue);
  const auto roofs = roof_times(a.kernels);
  Applied out;
  for (const analysis::SerialRun& run : runs) {
    const std::int64_t together = at_once(run, outlook);
    if (together < 2) continue;
    const auto size = static_cast<std::int64_t>(run.works.size());
    const std::int64_t rounds = (size + together - 1) / together;
    for (const model::WorkId work : run.works) {
      std::int64_t& ns = scenario.work_ns[work.row];
      const auto roof = roofs.find(a.profile->work.name[work.row]);
      const std::int64_t least = roof == roofs.end() ? 0 : std::min(roof->second, ns);
      const double shared =
          static_cast<double>(ns) * static_cast<double>(rounds) / static_cast<double>(size);
      ns = std::max(static_cast<std::int64_t>(shared), least);
    }
    out.count += size;
  }
  out.what =
      fmt::format("{} kernels in {} runs share the device on several streams",
                  human_count(out.count), human_count(static_cast<std::int64_t>(runs.size())));
  out.assumes = {"the kernels of a run do not use each other's results",
                 "each of their blocks needs at most one multiprocessor"};
  out.bound = true;
  return out;
}

}  // namespace

Change change_concurrent_streams() {
  return {kName, "", "independent small kernels run side by side", &apply};
}

}  // namespace rooflab::graph
