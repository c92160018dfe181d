// SPDX-License-Identifier: Apache-2.0
#include "analysis/thread_table.h"

#include <algorithm>

namespace rooflab::analysis {
namespace {

bool is_call(model::SpanKind kind) {
  return kind == model::SpanKind::kRuntimeCall || kind == model::SpanKind::kDriverCall;
}

}  // namespace

std::vector<ThreadRow> thread_table(const model::Profile& p, const HostTree& tree,
                                    const Window* between) {
  const std::int64_t from = between != nullptr ? between->start.value : kNanosMin.value;
  const std::int64_t to = between != nullptr ? between->end.value : kNanosMax.value;
  std::vector<ThreadRow> by_track(p.tracks.size());
  std::vector<std::int64_t> covered_until(p.tracks.size(), kNanosMin.value);
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    const std::uint32_t track = p.spans.track[i].row;
    const std::int64_t begin = std::max(p.spans.start[i], from);
    const std::int64_t end = std::min(p.spans.end(i), to);
    if (p.spans.start[i] >= to || p.spans.end(i) < from) continue;
    ThreadRow& row = by_track[track];
    ++row.spans;
    const model::SpanId parent = tree.parent[i];
    if (!parent.valid()) {
      // Spans of a track come by start, so that the union is one pass.
      const std::int64_t start = std::max(begin, covered_until[track]);
      if (end > start) row.active.value = saturating_add(row.active.value, end - start);
      covered_until[track] = std::max(covered_until[track], end);
    }
    if (is_call(p.spans.kind[i]) && !(parent.valid() && is_call(p.spans.kind[parent.row]))) {
      row.in_calls.value =
          saturating_add(row.in_calls.value, std::max<std::int64_t>(0, end - begin));
    }
  }
  for (std::size_t w = 0; w < p.work.size(); ++w) {
    const model::SpanId launch = p.work.launch[w];
    if (!launch.valid()) continue;
    const std::int64_t called = p.spans.start[launch.row];
    if (called < from || called >= to) continue;
    ThreadRow& row = by_track[p.spans.track[launch.row].row];
    ++row.launches;
    row.device_time.value = saturating_add(row.device_time.value, p.work.duration[w]);
  }
  std::vector<ThreadRow> out;
  for (std::size_t t = 0; t < by_track.size(); ++t) {
    const model::Track& track = p.tracks[t];
    if (track.kind != model::TrackKind::kThread || by_track[t].spans == 0 || !track.thread.valid())
      continue;
    ThreadRow row = by_track[t];
    const model::Thread& thread = p.threads[track.thread.row];
    row.tid = thread.tid;
    row.name = thread.name;
    if (thread.process.valid()) row.pid = p.processes[thread.process.row].pid;
    out.push_back(row);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const ThreadRow& a, const ThreadRow& b) { return a.active > b.active; });
  return out;
}

}  // namespace rooflab::analysis
