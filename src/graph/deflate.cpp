// SPDX-License-Identifier: Apache-2.0
#include "graph/deflate.h"

#include <algorithm>

#include "hw/recorder_costs.h"

namespace rooflab::graph {
namespace {

// However much a recorder costs, the program's own work is not nothing: a launch call under the
// profiler was never more than three times as long as without in the recordings with both times.
constexpr double kLeastLeft = 0.3;

std::string mode_of(const model::Provenance& provenance) {
  if (!provenance.host_ops_recorded) return "device";
  if (provenance.stacks_recorded) return "host_device_stacks";
  if (provenance.memory_recorded) return "host_device_memory";
  if (provenance.shapes_recorded) return "host_device_shapes";
  return "host_device";
}

// What one thread's records cost and could not yet be taken from its time: short stretches hold
// more records than they can pay for at once.
class Debt {
 public:
  void add(double ns) { owed_ += ns; }
  [[nodiscard]] std::int64_t pay(std::int64_t ns) {
    const double most = static_cast<double>(ns) * (1 - kLeastLeft);
    const double paid = std::min(owed_, most);
    owed_ -= paid;
    return ns - static_cast<std::int64_t>(paid);
  }

 private:
  double owed_ = 0;
};

}  // namespace

std::optional<Deflation> deflation_of(const model::Profile& profile) {
  const std::string mode = mode_of(profile.provenance);
  const hw::RecorderCost* cost = hw::recorder_cost(profile.provenance.tool, mode);
  if (cost == nullptr) return {};
  return Deflation{mode, cost->low, cost->likely, cost->high, cost->source};
}

void deflate(const Graph& graph, double k, Scenario& s) {
  if (k <= 0) return;
  const double each = k * static_cast<double>(graph.launch_call_median_ns);
  std::vector<Debt> debts(graph.analysis->profile->tracks.size());
  for (std::size_t i = 0; i < graph.anchor_count(); ++i) {
    const Anchor& a = graph.anchors[i];
    if (!a.span.valid()) continue;
    Debt& debt = debts[a.track.row];
    for (std::uint32_t j = a.first_part; j < graph.anchors[i + 1].first_part; ++j) {
      const HostPart& part = graph.parts[j];
      debt.add(each * part.records);
      s.part_ns[j] = part.recorder ? 0 : debt.pay(s.part_ns[j]);
    }
    debt.add(each);
    s.call_ns[i] = debt.pay(std::max<std::int64_t>(0, s.call_ns[i] - a.recorder_ns));
  }
}

}  // namespace rooflab::graph
