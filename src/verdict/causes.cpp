// SPDX-License-Identifier: Apache-2.0
#include "verdict/causes.h"

#include <algorithm>

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
    const Scenario before = kernels ? s : Scenario();
    Applied all;
    for (const ChangeCall& call : calls) {
      RL_TRY(const Applied one,
             graph::find_change(call.name)->apply(g, call.arguments, outlook, s));
      all.count += one.count;
      all.bound = all.bound || one.bound;
    }
    if (kernels) {
      s.part_ns = before.part_ns;
      s.call_ns = before.call_ns;
      s.waits = before.waits;
    }
    return all;
  };
}

void keep(Limit limit, const Result<graph::Gain>& gain, std::vector<CauseGain>& out) {
  if (gain && gain->high >= kNothing) out.push_back({limit, *gain});
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
  for (const auto& [limit, remove] : own) {
    const graph::RankEdit edit = [f = remove](const Graph& g, Outlook outlook,
                                              Scenario& s) -> Result<Applied> {
      return f(g, outlook, s);
    };
    keep(limit, predictor.gain_of(edit), out);
  }
  for (const ByChanges& row : by_changes()) {
    std::vector<ChangeCall> calls;
    for (const char* name : row.changes) {
      if (graph::find_change(name) != nullptr) calls.push_back({name, {}});
    }
    if (!calls.empty()) keep(row.limit, predictor.gain_of(on_device(calls, row.limit)), out);
  }
  std::stable_sort(out.begin(), out.end(), [](const CauseGain& a, const CauseGain& b) {
    return a.gain.likely > b.gain.likely;
  });
  return out;
}

}  // namespace rooflab::verdict
