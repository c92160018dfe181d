// SPDX-License-Identifier: Apache-2.0
#include "analysis/blocking_calls.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/markers.h"
#include "analysis/owner_totals.h"

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;

struct Extent {
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  [[nodiscard]] bool has(std::int64_t time) const { return time >= start && time < end; }
};

// From the first device's window to the last one's.
Extent extent_of(const Accounting& accounting) {
  Extent out;
  for (const DeviceAccounting& d : accounting.devices) {
    out.start = std::min(out.start, d.window.start.value);
    out.end = std::max(out.end, d.window.end.value);
  }
  return out;
}

bool is_call(SpanKind kind) {
  return kind == SpanKind::kRuntimeCall || kind == SpanKind::kDriverCall;
}

// The outermost operator around `row`, invalid if there is none.
SpanId operator_around(const model::Profile& p, const HostTree& tree, std::size_t row) {
  SpanId found;
  for (SpanId at = tree.parent[row]; at.valid(); at = tree.parent[at.row]) {
    if (p.spans.kind[at.row] == SpanKind::kOp) found = at;
  }
  return found;
}

// Idle time whose cause is a blocking call or lies inside an operator that holds one.
Nanos idle_in(const HostTree& tree, const Accounting& accounting, const std::vector<bool>& blocks) {
  Nanos idle;
  for (const DeviceAccounting& d : accounting.devices) {
    for (const Stretch& stretch : d.stretches) {
      const bool counts =
          stretch.cause.row < blocks.size() && in_branch(d.owners[stretch.owner].owner, "idle");
      if (!counts) continue;
      SpanId at = stretch.cause;
      while (at.valid() && !blocks[at.row]) at = tree.parent[at.row];
      if (at.valid()) idle += stretch.end - stretch.start;
    }
  }
  return idle;
}

}  // namespace

BlockingCalls blocking_calls(const model::Profile& p, const HostTree& tree,
                             const Accounting& accounting) {
  BlockingCalls out;
  const Extent window = extent_of(accounting);
  std::vector<bool> launches(p.spans.size(), false);
  std::vector<bool> launching(p.tracks.size(), false);
  for (const SpanId launch : p.work.launch) {
    if (launch.row >= launches.size()) continue;
    launching[p.spans.track[launch.row].row] = true;
    if (!launches[launch.row] && window.has(p.spans.start[launch.row])) ++out.launches;
    launches[launch.row] = true;
  }
  MarkedNames names(p);
  std::vector<bool> blocks(p.spans.size(), false);
  std::map<std::pair<StringId, StringId>, BlockingCall> rows;
  for (std::size_t row = 0; row < p.spans.size() && row < tree.parent.size(); ++row) {
    if (!is_call(p.spans.kind[row]) || !launching[p.spans.track[row].row]) continue;
    if (!window.has(p.spans.start[row])) continue;
    if ((names.of(p.spans.name[row], NameUse::kCall) & bit(Marker::kSync)) == 0) continue;
    const SpanId around = operator_around(p, tree, row);
    blocks[row] = true;
    if (around.valid()) blocks[around.row] = true;
    const StringId activity = around.valid() ? p.spans.name[around.row] : StringId(0U);
    BlockingCall& call = rows[{p.spans.name[row], activity}];
    call.call = p.spans.name[row];
    call.activity = activity;
    ++call.count;
    call.time = Nanos(saturating_add(call.time.value, p.spans.duration[row]));
    ++out.count;
  }
  for (const auto& [key, call] : rows) out.rows.push_back(call);
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const BlockingCall& a, const BlockingCall& b) { return a.count > b.count; });
  if (out.count > 0) out.idle = idle_in(tree, accounting, blocks);
  return out;
}

}  // namespace rooflab::analysis
