// SPDX-License-Identifier: Apache-2.0
#include "graph/latencies.h"

#include <algorithm>
#include <limits>

namespace rooflab::graph {
namespace {

using model::WorkId;

// Medians over the recordings of tests/data/h200, for files that show a latency nowhere.
constexpr Latencies kUsual{.dispatch = 1'500,
                           .stream_gap = 1'300,
                           .copy_gap = 1'600,
                           .node_gap = 300,
                           .cross_gap = 2'000,
                           .wait_return = 4'000};
// A gap longer than this is no latency: something else was waited for.
constexpr std::int64_t kLongestGapNs = 20'000;
constexpr std::int64_t kLongestReturnNs = 50'000;
// Launches this far ahead of the device cannot have delayed it.
constexpr std::int64_t kAheadNs = 10'000;
// A device idle for this long before a launch had nothing else to wait for.
constexpr std::int64_t kIdleNs = 2'000;

// Inside one graph launch nothing else is waited for: every gap counts.
double mean(const std::vector<std::int64_t>& samples, double otherwise) {
  if (samples.empty()) return otherwise;
  double sum = 0;
  for (const std::int64_t sample : samples) sum += static_cast<double>(sample);
  return sum / static_cast<double>(samples.size());
}

// Mean without the lowest and highest tenth.
double trimmed_mean(std::vector<std::int64_t>& samples, double otherwise) {
  if (samples.empty()) return otherwise;
  std::sort(samples.begin(), samples.end());
  const std::size_t cut = samples.size() / 10;
  double sum = 0;
  for (std::size_t i = cut; i < samples.size() - cut; ++i) sum += static_cast<double>(samples[i]);
  return sum / static_cast<double>(samples.size() - 2 * cut);
}

struct Samples {
  std::vector<std::int64_t> dispatch, stream_gap, copy_gap, node_gap, wait_return;
};

struct Stream {
  WorkId last;
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
};

void sample_work(const model::Profile& p, const Anchor& a, bool first_of_launch, WorkId w,
                 Stream& stream, std::int64_t& device_end, Samples& out) {
  const std::int64_t start = p.work.start[w.row];
  const std::int64_t issue = a.begin + a.issue_ns;
  const bool linked = a.span.valid();
  if (stream.last.valid() && start >= p.work.start[stream.last.row]) {
    const std::int64_t gap = start - stream.end;
    const bool short_gap = gap < kLongestGapNs && gap > -kLongestGapNs;
    if (!first_of_launch && p.work.launch[stream.last.row] == p.work.launch[w.row]) {
      if (short_gap) out.node_gap.push_back(gap);
    } else if (linked && issue + kAheadNs < stream.end && short_gap) {
      const bool copies = is_copy_like(p, w) || is_copy_like(p, stream.last);
      (copies ? out.copy_gap : out.stream_gap).push_back(gap);
    }
  }
  const bool at_end = a.issue_ns == a.end - a.begin;
  if (linked && first_of_launch && at_end && a.wait == Wait::kNone &&
      device_end + kIdleNs < issue && start - issue < kLongestReturnNs) {
    out.dispatch.push_back(start - issue);
  }
  stream.last = w;
  stream.end = std::max(stream.end, p.work.end(w.row));
  device_end = std::max(device_end, stream.end);
}

}  // namespace

bool is_copy_like(const model::Profile& p, WorkId w) {
  return p.work.kind[w.row] != model::WorkKind::kKernel;
}

void measure_latencies(Graph& g) {
  const model::Profile& p = *g.analysis->profile;
  Samples s;
  std::vector<Stream> streams(p.tracks.size());
  std::vector<std::int64_t> device_end(p.devices.size() + 1,
                                       std::numeric_limits<std::int64_t>::min() / 2);
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const Anchor& a = g.anchors[i];
    for (std::uint32_t k = a.first_work; k < g.anchors[i + 1].first_work; ++k) {
      const WorkId w = g.works_of_anchor[k];
      const model::DeviceId device = p.device_of(w.row);
      std::int64_t& end = device_end[device.valid() ? device.row : p.devices.size()];
      sample_work(p, a, k == a.first_work, w, streams[p.work.track[w.row].row], end, s);
    }
    if (a.wait == Wait::kWork) {
      const std::int64_t back = a.end - p.work.end(a.target.row);
      if (back < kLongestReturnNs) s.wait_return.push_back(back);
    }
  }
  g.latencies.dispatch = trimmed_mean(s.dispatch, kUsual.dispatch);
  g.latencies.stream_gap = trimmed_mean(s.stream_gap, kUsual.stream_gap);
  g.latencies.copy_gap = trimmed_mean(s.copy_gap, kUsual.copy_gap);
  g.latencies.node_gap = mean(s.node_gap, kUsual.node_gap);
  g.latencies.cross_gap = kUsual.cross_gap;
  g.latencies.wait_return = trimmed_mean(s.wait_return, kUsual.wait_return);
}

}  // namespace rooflab::graph
