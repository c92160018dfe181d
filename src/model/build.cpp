// SPDX-License-Identifier: Apache-2.0
// Builder::build: repair durations, sort, link, count. Each step works on whole columns.
#include <algorithm>
#include <numeric>
#include <thread>

#include "base/check.h"
#include "model/builder.h"
#include "model/columns.h"
#include "model/link_launches.h"
#include "model/sort_rows.h"

namespace rooflab::model {
namespace {

// Below this many rows a second thread costs more than it saves.
constexpr std::size_t kParallelRows = 200000;

struct TimeRepairs {
  std::int64_t negative = 0, too_large = 0;
};

template <class Table>
void repair_times(Table& table, TimeRepairs& repairs) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::int64_t& start = table.start[i];
    std::int64_t& duration = table.duration[i];
    if (duration < 0) ++repairs.negative;
    if (start < -kTimeLimit || start > kTimeLimit || duration > kTimeLimit) ++repairs.too_large;
    start = std::clamp(start, -kTimeLimit, kTimeLimit);
    duration = std::clamp(duration, std::int64_t{0}, kTimeLimit);
  }
}

template <class Table>
void reorder(Table& table, std::vector<std::int64_t>& external_ids, const RowOrder& order) {
  for_each_column(table, [&](std::string_view, auto& column) { gather(column, order.old_row); });
  gather(external_ids, order.old_row);
}

// Work that starts before its predecessor on the same stream has ended. Work of zero length covers
// nothing; counting it would make the count depend on the order of rows with equal starts.
std::int64_t count_overlaps(const WorkTable& work) {
  std::int64_t count = 0;
  std::int64_t latest_end = 0;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const bool same_track = i > 0 && work.track[i] == work.track[i - 1];
    if (same_track && work.duration[i] > 0 && work.start[i] < latest_end) ++count;
    latest_end = same_track ? std::max(latest_end, work.end(i)) : work.end(i);
  }
  return count;
}

// The operator on `track` that starts at `time`; among several the innermost, which stands last.
SpanId op_starting_at(const Profile& p, const std::vector<std::uint32_t>& first, TrackId track,
                      std::int64_t time) {
  const auto& start = p.spans.start;
  const auto begin = start.begin() + first[track.row];
  const auto end = start.begin() + first[track.row + 1];
  auto it = std::upper_bound(begin, end, time);
  while (it != begin && *(it - 1) == time) {
    --it;
    const auto row = static_cast<std::size_t>(it - start.begin());
    if (p.spans.kind[row] == SpanKind::kOp) return SpanId(row);
  }
  return {};
}

std::vector<std::uint32_t> first_rows(const std::vector<TrackId>& track, std::size_t track_count) {
  std::vector<std::uint32_t> first(track_count + 1, 0);
  for (const TrackId t : track) ++first[t.row + 1];
  for (std::size_t t = 1; t < first.size(); ++t) first[t] += first[t - 1];
  return first;
}

// By thread and time; metrics by launch.
void sort_small_tables(Profile& p) {
  const auto sort = [](auto& table, auto before) {
    std::vector<std::uint32_t> rows(table.size());
    std::iota(rows.begin(), rows.end(), 0U);
    if (std::is_sorted(rows.begin(), rows.end(), before)) return;
    std::stable_sort(rows.begin(), rows.end(), before);
    for_each_column(table, [&](std::string_view, auto& column) { gather(column, rows); });
  };
  sort(p.samples, [&](std::uint32_t a, std::uint32_t b) {
    const SampleTable& t = p.samples;
    return t.track[a] != t.track[b] ? t.track[a] < t.track[b] : t.time[a] < t.time[b];
  });
  sort(p.metrics,
       [&](std::uint32_t a, std::uint32_t b) { return p.metrics.launch[a] < p.metrics.launch[b]; });
}

}  // namespace

Profile Builder::build() && {
  Profile& p = profile_;
  CHECK(p.spans.size() < SpanId::kNone && p.work.size() < WorkId::kNone, "row numbers fit 32 bits");
  TimeRepairs repairs;
  repair_times(p.spans, repairs);
  repair_times(p.work, repairs);

  RowOrder work_order;
  const auto sort_work = [&] {
    work_order = sorted_order(p.work.track, p.work.start, p.work.duration, p.tracks.size(), false);
    reorder(p.work, work_external_ids_, work_order);
  };
  RowOrder span_order;
  const auto sort_spans = [&] {
    span_order =
        sorted_order(p.spans.track, p.spans.start, p.spans.duration, p.tracks.size(), true);
    reorder(p.spans, op_external_ids_, span_order);
  };
  if (p.work.size() + p.spans.size() > kParallelRows) {
    std::thread beside(sort_work);
    sort_spans();
    beside.join();
  } else {
    sort_work();
    sort_spans();
  }

  sort_small_tables(p);
  const LinkCounts links = link_launches(p);
  if (links.unlinked > 0) link_ops_by_external_id(p, op_external_ids_, work_external_ids_);
  op_external_ids_ = {};
  work_external_ids_ = {};

  std::int64_t unmatched = 0;
  if (!flow_ends_.empty()) {
    const std::vector<std::uint32_t> first = first_rows(p.spans.track, p.tracks.size());
    std::stable_sort(flow_ends_.begin(), flow_ends_.end(), [](const FlowEnd& a, const FlowEnd& b) {
      return a.id != b.id ? a.id < b.id : a.is_start > b.is_start;
    });
    SpanId forward;
    for (std::size_t i = 0; i < flow_ends_.size(); ++i) {
      const FlowEnd& end = flow_ends_[i];
      if (i == 0 || end.id != flow_ends_[i - 1].id) forward = SpanId();
      const SpanId span = op_starting_at(p, first, end.track, end.time);
      if (!span.valid() || (!end.is_start && !forward.valid())) {
        ++unmatched;
      } else if (end.is_start) {
        forward = span;
      } else {
        p.forward_backward.push_back({forward, span});
      }
    }
    flow_ends_ = {};
  }

  Hygiene& h = p.hygiene;
  h.add("time_too_large", input_, repairs.too_large,
        "times or durations beyond 73 years were cut to that; the file is damaged there",
        Claim::kTimes);
  h.add("negative_duration", input_, repairs.negative,
        "durations below zero were set to zero; the recorder's clocks disagree there",
        Claim::kNothing);
  h.add("out_of_order", input_, span_order.out_of_order + work_order.out_of_order,
        "records were not in time order and were sorted; harmless");
  h.add("unlinked_work", input_, links.unlinked,
        links.calls > 0
            ? "device work without a launch record: it is counted, but which call caused it is "
              "unknown; record from before the first launch to see it"
            : "the file holds device work and no launch calls: what the host did in a gap is "
              "unknown; record the runtime's calls too",
        links.unlinked * 10 > static_cast<std::int64_t>(p.work.size()) ? Claim::kLinks
                                                                       : Claim::kNothing);
  h.add("duplicate_correlation", input_, links.duplicates,
        "calls share a correlation id (several processes in one file?); the first one was taken as "
        "the launch");
  h.add("stream_overlap", input_, count_overlaps(p.work),
        "work on one stream overlaps; legal on AMD queues and with programmatic dependent launch; "
        "counted as a union");
  h.add("zero_duration", input_, std::count(p.work.duration.begin(), p.work.duration.end(), 0),
        "device work of zero length: shorter than the recorder's resolution");
  h.add("zero_duration_host", input_,
        std::count(p.spans.duration.begin(), p.spans.duration.end(), 0),
        "host spans of zero length: shorter than the recorder's resolution; harmless");
  h.add("unmatched_flow", input_, unmatched,
        "forward-to-backward links with one end outside the recording");
  return std::move(profile_);
}

}  // namespace rooflab::model
