// SPDX-License-Identifier: Apache-2.0
#include "verdict/causes.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "graph/edits.h"

namespace rooflab::verdict {
namespace {

using analysis::HostClass;
using graph::Applied;
using graph::ChangeCall;
using graph::Graph;
using graph::Outlook;
using graph::Scenario;

// A gain below this is the simulation's own error.
constexpr double kNothing = 1.005;

Applied input(const Graph& g, Outlook /*outlook*/, Scenario& s) {
  return {.count = graph::remove_host(g, {HostClass::kInput}, {}, s), .what = {}, .assumes = {}};
}

Applied launch(const Graph& g, Outlook outlook, Scenario& s) {
  const auto runs = graph::capture_runs(g, s, 1);
  graph::replay_as_graphs(g, runs, outlook, s);
  return {.count = static_cast<std::int64_t>(runs.size()), .what = {}, .assumes = {}};
}

Applied host(const Graph& g, Outlook /*outlook*/, Scenario& s) {
  const auto count = graph::remove_host(
      g,
      {HostClass::kRange, HostClass::kHostCode, HostClass::kOffCpu, HostClass::kCompile,
       HostClass::kAlloc, HostClass::kCopyCall, HostClass::kUnknown},
      {}, s);
  return {.count = count, .what = {}, .assumes = {}};
}

Applied sync(const Graph& g, Outlook /*outlook*/, Scenario& s) {
  return {.count = graph::remove_waits(g, {}, s), .what = {}, .assumes = {}};
}

// The changes of kernels and copies that remove a cause, as far as they are known.
struct ByChanges {
  Limit limit;
  std::vector<const char*> changes;
};
const std::vector<ByChanges>& by_changes() {
  static const std::vector<ByChanges> kRows{
      {Limit::kTransfer, {"coalesce-copies", "pin-copies", "overlap-copies"}},
      {Limit::kComm, {"overlap-comm"}},
      {Limit::kStraggler, {"balance-ranks"}},
      {Limit::kMemory,
       {"fuse", "fused-attention", "fused-optimizer", "channels-last", "remove-casts"}},
      {Limit::kCompute, {"align-gemm", "tensor-cores"}},
      {Limit::kLatency, {"fill-device"}},
  };
  return kRows;
}

// Kernel changes also take launches off the host; as a cause only their device time counts, or a
// host that cannot keep up would pass for slow kernels.
graph::RankEdit on_device(const std::vector<ChangeCall>& calls, Limit limit) {
  const bool kernels =
      limit == Limit::kMemory || limit == Limit::kCompute || limit == Limit::kLatency;
  return [calls, kernels](const Graph& g, Outlook outlook, Scenario& s) -> Result<Applied> {
    Scenario host;
    if (kernels) {
      host.part_ns = s.part_ns;
      host.call_ns = s.call_ns;
      host.waits = s.waits;
    }
    Applied all;
    for (const ChangeCall& call : calls) {
      RL_TRY(const Applied one,
             graph::find_change(call.name)->apply(g, call.arguments, outlook, s));
      all.count += one.count;
      all.bound = all.bound || one.bound;
    }
    if (kernels) {
      s.part_ns = std::move(host.part_ns);
      s.call_ns = std::move(host.call_ns);
      s.waits = std::move(host.waits);
    }
    return all;
  };
}

}  // namespace

std::vector<CauseGain> cause_gains(const graph::Predictor& predictor) {
  std::vector<CauseGain> out;
  if (!predictor.suitable()) return out;
  using Remove = Applied (*)(const Graph&, Outlook, Scenario&);
  const std::pair<Limit, Remove> own[] = {{Limit::kInput, &input},
                                          {Limit::kLaunch, &launch},
                                          {Limit::kHost, &host},
                                          {Limit::kSync, &sync}};
  std::vector<std::pair<Limit, graph::RankEdit>> causes;
  for (const auto& [limit, remove] : own) {
    causes.emplace_back(
        limit, [f = remove](const Graph& g, Outlook outlook, Scenario& s) -> Result<Applied> {
          return f(g, outlook, s);
        });
  }
  for (const ByChanges& row : by_changes()) {
    std::vector<ChangeCall> calls;
    for (const char* name : row.changes) {
      if (graph::find_change(name) != nullptr) calls.push_back({name, {}});
    }
    if (!calls.empty()) causes.emplace_back(row.limit, on_device(calls, row.limit));
  }
  std::vector<std::optional<Result<graph::Gain>>> gains(causes.size());
  parallel_for(causes.size(),
               [&](std::size_t i) { gains[i] = predictor.gain_of(causes[i].second); });
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const Result<graph::Gain>& gain = *gains[i];
    if (gain && gain->high >= kNothing) out.push_back({causes[i].first, *gain});
  }
  std::stable_sort(out.begin(), out.end(), [](const CauseGain& a, const CauseGain& b) {
    return a.gain.likely > b.gain.likely;
  });
  return out;
}

}  // namespace rooflab::verdict
