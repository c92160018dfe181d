// SPDX-License-Identifier: Apache-2.0
#include "analysis/recompute.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/markers.h"

namespace rooflab::analysis {
namespace {

using model::Profile;
using model::SpanId;
using model::SpanKind;

MarkerBits marks(const Profile& p, MarkedNames& names, std::size_t row) {
  return names.of(p.spans.name[row], use_of(p.spans.kind[row]));
}

using Call = std::pair<std::uint32_t, std::uint32_t>;  // name, arguments

Call call_of(const Profile& p, std::size_t row) {
  return {p.spans.name[row].row, p.spans.args[row].row};
}

}  // namespace

Recompute find_recompute(const Profile& p, const HostTree& tree) {
  Recompute out;
  const std::size_t count = std::min(p.spans.size(), tree.parent.size());
  out.again.assign(count, false);
  MarkedNames names(p);
  // A parent stands before its children, so one pass carries both facts down.
  std::vector<bool> in_backward(count, false);
  std::set<Call> forward;
  for (std::size_t row = 0; row < count; ++row) {
    const SpanId parent = tree.parent[row];
    const MarkerBits bits = marks(p, names, row);
    in_backward[row] = (bits & bit(Marker::kBackward)) != 0 ||
                       (parent.valid() && parent.row < row && in_backward[parent.row]);
    const bool candidate = (bits & bit(Marker::kForwardOnly)) != 0 && p.spans.args[row].valid();
    if (candidate && !in_backward[row]) forward.insert(call_of(p, row));
  }
  for (std::size_t row = 0; row < count; ++row) {
    const SpanId parent = tree.parent[row];
    if (parent.valid() && parent.row < row && out.again[parent.row]) {
      out.again[row] = true;
      continue;
    }
    if (!in_backward[row] || !p.spans.args[row].valid()) continue;
    if ((marks(p, names, row) & bit(Marker::kForwardOnly)) == 0) continue;
    if (forward.count(call_of(p, row)) == 0) continue;
    out.again[row] = true;
    out.roots.emplace_back(static_cast<std::uint32_t>(row));
  }
  return out;
}

}  // namespace rooflab::analysis
