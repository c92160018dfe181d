// SPDX-License-Identifier: Apache-2.0
// TraceLens' gpu_timeline: the span of device work split into computation, communication that no
// computation covers, copies that neither covers, and idle.
//
// Two rows, because the tool leaves out work without a launch record unless it is asked not to
// (--include_unlinked_kernels): by default its total shrinks where graphs or cut files lose links.
#include <algorithm>
#include <utility>

#include "analysis/intervals.h"
#include "analysis/peers/peer.h"
#include "analysis/peers/shared/name_test.h"

namespace rooflab::analysis {
namespace {

struct Timeline {
  Intervals computation, communication, copies;
  Interval span{kNanosMax, kNanosMin};
};

Timeline timeline(const model::Profile& p, bool linked_only) {
  NameTest is_communication(p, "tracelens", "communication");
  Timeline t;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (linked_only && !p.work.launch[i].valid()) continue;
    const Interval stretch{Nanos(p.work.start[i]), Nanos(p.work.end(i))};
    t.span.start = std::min(t.span.start, stretch.start);
    t.span.end = std::max(t.span.end, stretch.end);
    if (p.work.kind[i] == model::WorkKind::kCopy) {
      t.copies.push_back(stretch);
    } else if (is_communication(p.work.name[i])) {
      t.communication.push_back(stretch);
    } else {
      t.computation.push_back(stretch);  // sets of memory too
    }
  }
  t.computation = unite(std::move(t.computation));
  t.communication = unite(std::move(t.communication));
  t.copies = unite(std::move(t.copies));
  return t;
}

PeerFigure in_ms(const char* key, Nanos time) {
  return {key, static_cast<double>(time.value) / 1e6, 5};
}

PeerRow row(std::string label, const Timeline& t) {
  const Nanos computation = total_length(t.computation);
  const Nanos exposed_comm = total_length(subtract(t.communication, t.computation));
  const Intervals uncovered = subtract(t.copies, t.computation);
  const Nanos exposed_copies = total_length(subtract(uncovered, t.communication));
  const Nanos total = length(t.span);
  // The three are disjoint and lie in the span, so that busy <= total.
  const Nanos busy(
      saturating_add(saturating_add(computation.value, exposed_comm.value), exposed_copies.value));
  return {std::move(label),
          {in_ms("computation_ms", computation), in_ms("exposed_comm_ms", exposed_comm),
           in_ms("exposed_memcpy_ms", exposed_copies), in_ms("busy_ms", busy),
           in_ms("idle_ms", total - busy), in_ms("total_ms", total),
           in_ms("total_comm_ms", total_length(t.communication)),
           in_ms("total_memcpy_ms", total_length(t.copies))}};
}

Result<PeerReport> figures(const model::Profile& p) {
  if (p.work.size() == 0) {
    return fail(ErrorCode::kInconclusive, "the file holds no device work", p.provenance.input,
                "TraceLens' timeline is about device work only: record with device activity on");
  }
  PeerReport report;
  report.definition =
      "Window: from the start of the first to the end of the last device event of the file, all "
      "devices together. Computation is the union of kernels and memory sets, exposed "
      "communication and exposed copies are what no higher class covers, idle is the rest; only "
      "events linked to a launch count unless unlinked ones are asked for.";
  report.difference =
      "rooflab counts every device event, keeps devices apart, and takes whole device steps as its "
      "window, so that warm-up before and the tail after them are no idle time. Blit kernels are "
      "copies to rooflab and computation to TraceLens.";
  const auto linked =
      std::count_if(p.work.launch.begin(), p.work.launch.end(), [](auto l) { return l.valid(); });
  if (linked > 0) report.rows.push_back(row("linked events (its default)", timeline(p, true)));
  report.rows.push_back(row("all events", timeline(p, false)));
  return report;
}

}  // namespace

Peer peer_tracelens() { return {"tracelens", "TraceLens gpu_timeline", figures}; }

}  // namespace rooflab::analysis
