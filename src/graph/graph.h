// SPDX-License-Identifier: Apache-2.0
// The dependency graph of a profile: what had to happen before each launch, wait and device work.
//
// Host: the calls that launch work or wait for it ("anchors") follow one another in each thread's
// program order; between two of them the thread spends recorded host time, kept in parts by what it
// was doing. Where a thread was silent while another one launched (a backward pass runs on its own
// thread), its next anchor follows that thread's last one: a hand-off. Device: work on a stream
// runs in launch order; work that started only when work on another stream ended depends on it.
// Waits end when the work they waited for ends. No time of a device edge is stored: six latencies a
// file stand for all of them (`Latencies`), so that a re-timed run is a prediction and not a copy.
//
//   const Graph graph = build_graph(analysis);
//   const Timing timing = simulate(graph, as_recorded(graph));
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/host_owner.h"

namespace rooflab::graph {

constexpr std::uint32_t kNoAnchor = std::numeric_limits<std::uint32_t>::max();

// What a thread did between two anchors, in order of time.
struct HostPart {
  std::int64_t ns = 0;
  model::SpanId cause;        // the span that gave the class; invalid for kUnknown
  std::uint32_t records = 0;  // host records (operators, calls, ranges, frames) that begin in it
  analysis::HostClass host_class = analysis::HostClass::kUnknown;
  bool recorder = false;  // the recorder's own work (flushing buffers ...)
  bool quiet = false;     // nothing begins or ends on the thread while it lasts
};

enum class Wait : std::uint8_t {
  kNone,
  kOwnWork,  // a copy that returns when it is done
  kWork,     // a synchronising call: ends when `target` has ended
};

struct Anchor {
  model::SpanId span;  // the call; invalid for work without a launch record
  model::TrackId track;
  std::uint32_t after = kNoAnchor;  // the anchor whose end this one follows
  std::int64_t begin = 0, end = 0;  // as recorded
  // From the begin of the call to the hand-over of its first work to the device: the whole call,
  // but for a copy that is staged while the call lasts.
  std::int64_t issue_ns = 0;
  Wait wait = Wait::kNone;
  // kOwnWork: host time from the copy's end to the call's (out of the staging buffer).
  std::int64_t unstage_ns = 0;
  bool handed_off = false;
  std::int64_t recorder_ns = 0;  // the recorder's own work inside the call
  model::WorkId target;          // kWork
  std::uint32_t first_part = 0;  // parts [first_part, next anchor's first_part) come before it
  std::uint32_t first_work = 0;  // works_of_anchor [first_work, next anchor's first_work)
};

// Nanoseconds; each is a mean over the file, without its outer tenths but for node_gap.
struct Latencies {
  double dispatch = 0;     // end of a launch call -> start, on an idle stream
  double stream_gap = 0;   // end -> start of the next kernel of a busy stream
  double copy_gap = 0;     // the same where one of the two is a copy or a set
  double node_gap = 0;     // the same inside one graph launch
  double cross_gap = 0;    // end -> start of work on another stream that waited for it
  double wait_return = 0;  // end of work -> end of the call that waited for it
};

struct Graph {
  const analysis::Analysis* analysis = nullptr;
  std::vector<Anchor> anchors;  // in order of recorded begin, one more at the end as a sentinel
  std::vector<HostPart> parts;
  std::vector<model::WorkId> works_of_anchor;  // in order of recorded start within an anchor
  std::vector<std::uint32_t> anchor_of_work;   // by work row
  std::vector<model::WorkId> depends_on;       // by work row: on another stream; else invalid
  Latencies latencies;
  std::int64_t launch_call_median_ns = 0;  // of calls that launched kernels and did not wait
  // The works that start the device steps inside the window, one more than there are whole units;
  // without units the first work of the window, and `ends` its last.
  std::vector<model::WorkId> unit_starts;
  model::WorkId ends;
  [[nodiscard]] std::size_t anchor_count() const { return anchors.size() - 1; }
};

// Pure and linear in the profile. Device work without a launch record is launched by an anchor of
// its own at its recorded start (recorded host time of an unknown thread).
[[nodiscard]] Graph build_graph(const analysis::Analysis& analysis);
// Of each rank of a job.
[[nodiscard]] std::vector<Graph> build_graphs(const std::vector<const analysis::Analysis*>& ranks);
[[nodiscard]] std::vector<const Graph*> pointers(const std::vector<Graph>& graphs);

}  // namespace rooflab::graph
